// SPDX-License-Identifier: Apache-2.0
// The answer comes before the alarm.
// UNCONTROLLED: skip
// SCHEDULES: 500
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static sem_t answer;
static atomic_int expired;

static void on_alarm(int number) {
  (void)number;
  atomic_store(&expired, 1);
}

static void* serve(void* unused) {
  (void)unused;
  sleep(3);
  sem_post(&answer);
  return NULL;
}

int main(void) {
  pthread_t server;
  sem_init(&answer, 0, 0);
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  pthread_create(&server, NULL, serve, NULL);
  alarm(5);
  int error = 0;
  while (sem_wait(&answer) != 0 && error == 0)
    if (atomic_load(&expired) != 0) error = ETIMEDOUT;
  alarm(0);
  pthread_join(server, NULL);
  return error;
}
