// SPDX-License-Identifier: Apache-2.0
// Bug: a signal ends sem_wait early, and its result is not looked at.
// EXPECT: kind=assertion within=100 function=consume
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
  sem_wait(&filled);
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
