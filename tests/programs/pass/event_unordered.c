// SPDX-License-Identifier: Apache-2.0
// The reader waits for the writer, as the schedule that only watches can see.
// SCHEDULES: 50
#include <pthread.h>
#include <semaphore.h>

#include "raddle/event.h"

static sem_t ready;

static void* reader(void* unused) {
  RADDLE_NAME_THREAD("reader");
  sem_wait(&ready);
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
