// SPDX-License-Identifier: Apache-2.0
// Handlers left by siglongjmp: the mask comes back; faults that the program handles are its own.
// SCHEDULES: 500
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local sigjmp_buf here;
static atomic_int caught;

static void leave(int number) { siglongjmp(here, number); }

static int is_blocked(int number) {
  sigset_t set;
  pthread_sigmask(SIG_BLOCK, NULL, &set);
  return sigismember(&set, number);
}

static int* volatile nowhere;

static void* work(void* unused) {
  (void)unused;
  for (volatile int i = 0; i < 3; ++i) {
    int number = sigsetjmp(here, 1);
    if (number == 0) raise(SIGUSR1);
    assert(number == SIGUSR1 && !is_blocked(SIGUSR1));
    number = sigsetjmp(here, 1);
    if (number == 0) *nowhere = 1;
    assert(number == SIGSEGV && !is_blocked(SIGSEGV));
    atomic_fetch_add(&caught, 1);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  signal(SIGUSR1, leave);
  signal(SIGSEGV, leave);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&caught) == 6);
  return 0;
}
