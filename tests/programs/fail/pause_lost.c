// SPDX-License-Identifier: Apache-2.0
// Bug: the signal may come between looking at the flag and pause, which then waits for ever.
// EXPECT: kind=deadlock within=100 stack=work
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void on_signal(int number) {
  (void)number;
  atomic_store(&ready, 1);
}

static void* work(void* unused) {
  (void)unused;
  while (atomic_load(&ready) == 0) pause();
  return NULL;
}

int main(void) {
  pthread_t worker;
  signal(SIGUSR1, on_signal);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  return 0;
}
