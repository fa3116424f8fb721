// SPDX-License-Identifier: Apache-2.0
// The signal is blocked while the counter is in use.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static int jobs;
static atomic_int handled;

static void on_signal(int number) {
  (void)number;
  jobs = jobs + 1;
  atomic_fetch_add(&handled, 1);
}

static void* work(void* unused) {
  (void)unused;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 3; ++i) jobs = jobs + 1;
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  return NULL;
}

int main(void) {
  pthread_t worker;
  signal(SIGUSR1, on_signal);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  assert(jobs == 3 + atomic_load(&handled));
  return 0;
}
