// SPDX-License-Identifier: Apache-2.0
// Bug: nothing makes the reader wait for the writer, and the schedule only watches.
// SCHEDULES: 50
// EXPECT: kind=schedule-violation within=50 message~"T1 reader passed .reading. against .written"
#include <pthread.h>
#include <semaphore.h>

#include "raddle/event.h"

static sem_t ready;

static void* reader(void* unused) {
  RADDLE_NAME_THREAD("reader");
  RADDLE_EVENT("reading");
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  if (raddle_schedule_begin)
    raddle_schedule_begin("watched", "written -> reading", RADDLE_SCHEDULE_PASSIVE);
  pthread_create(&thread, NULL, reader, NULL);
  RADDLE_EVENT("written");
  sem_post(&ready);
  pthread_join(thread, NULL);
  return 0;
}
