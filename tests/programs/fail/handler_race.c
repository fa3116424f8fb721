// SPDX-License-Identifier: Apache-2.0
// Bug: a signal handler adds to the counter that the code it interrupts is adding to.
// EXPECT: kind=assertion within=200 function=main
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
  for (int i = 0; i < 3; ++i) jobs = jobs + 1;
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
