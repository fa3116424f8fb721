// SPDX-License-Identifier: Apache-2.0
// Locks made of raw priority-inheriting futexes, which the kernel hands from thread to thread.
// SCHEDULES: 50
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;
static int count;

static long ask(int operation, const struct timespec* until) {
  return syscall(SYS_futex, &word, operation, 0, until, 0, 0);
}

// Programs ask the kernel only where the lock is taken. Here it is always asked: thread ids are
// others in each process, and are not to show in what a run does.
static void lock(void) { assert(ask(FUTEX_LOCK_PI, 0) == 0); }

static void unlock(void) { assert(ask(FUTEX_UNLOCK_PI, 0) == 0); }

static void* add(void* unused) {
  for (int i = 0; i < 2; ++i) {
    lock();
    ++count;
    unlock();
  }
  return unused;
}

static void* find_it_taken(void* unused) {
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec = soon.tv_nsec / 2;
  assert(ask(FUTEX_TRYLOCK_PI, 0) == -1 && errno == EAGAIN);
  assert(ask(FUTEX_LOCK_PI, &soon) == -1 && errno == ETIMEDOUT);
  assert(ask(FUTEX_UNLOCK_PI, 0) == -1 && errno == EPERM);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(count == 6 && word == 0);
  assert(ask(FUTEX_TRYLOCK_PI, 0) == 0);
  assert(ask(FUTEX_LOCK_PI, 0) == -1 && errno == EDEADLK);
  pthread_create(&threads[0], 0, find_it_taken, 0);
  pthread_join(threads[0], 0);
  assert(ask(FUTEX_UNLOCK_PI, 0) == 0);
  return 0;
}
