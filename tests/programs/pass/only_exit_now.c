// SPDX-License-Identifier: Apache-2.0
// _exit and quick_exit end the process beside threads that go on; only the latter calls handlers.
// SCHEDULES: 100
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int count;

static void fail(void) { abort(); }
static void end(void) { _exit(atomic_load(&count) <= 4 ? 0 : 1); }

static void* work(void* unused) {
  for (int i = 0; i < 4; ++i) atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(fail);
  at_quick_exit(end);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  if (atomic_load(&count) < 2) quick_exit(3);
  _exit(0);
}
