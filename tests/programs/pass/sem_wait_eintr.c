// SPDX-License-Identifier: Apache-2.0
// The wait is repeated when a signal has ended it.
// SCHEDULES: 500
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t filled;
static int item;

static void on_signal(int number) { (void)number; }

static void* consume(void* unused) {
  (void)unused;
  while (sem_wait(&filled) != 0) assert(errno == EINTR);
  assert(item == 7);
  return NULL;
}

int main(void) {
  pthread_t consumer;
  sem_init(&filled, 0, 0);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_kill(consumer, SIGUSR1);
  item = 7;
  sem_post(&filled);
  pthread_join(consumer, NULL);
  return 0;
}
