// SPDX-License-Identifier: Apache-2.0
// The signal is blocked until sigsuspend waits for it.
// SCHEDULES: 500
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
  sigset_t none;
  sigemptyset(&none);
  while (atomic_load(&ready) == 0) sigsuspend(&none);
  return NULL;
}

int main(void) {
  pthread_t worker;
  signal(SIGUSR1, on_signal);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  return 0;
}
