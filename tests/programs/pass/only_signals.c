// SPDX-License-Identifier: Apache-2.0
// Signals of a program to itself: order, masks, siginfo, nesting, waits that go on or give up.
// SCHEDULES: 500
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int hits, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void count(int number) {
  (void)number;
  atomic_fetch_add(&hits, 1);
}

static void add(int number, siginfo_t* info, void* context) {
  assert(number == SIGRTMIN && info->si_signo == SIGRTMIN && info->si_code == SI_QUEUE);
  assert(info->si_pid == getpid() && context != NULL);
  atomic_store(&sum, atomic_load(&sum) * 10 + info->si_value.sival_int);
}

static void* wait_done(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (done == 0) assert(pthread_cond_wait(&changed, &lock) == 0);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* nap(void* unused) {
  (void)unused;
  struct timespec span = {1, 0}, left = {0, 0};
  if (nanosleep(&span, &left) != 0) assert(errno == EINTR && left.tv_sec + left.tv_nsec > 0);
  return NULL;
}

static void queue_and_mask(void) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (int i = 1; i <= 3; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  raise(SIGUSR1);
  raise(SIGUSR1);  // only one stays pending
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
  assert(atomic_load(&hits) == 0 && atomic_load(&sum) == 0);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  assert(atomic_load(&hits) == 1 && atomic_load(&sum) == 123);
  raise(SIGUSR1);
  assert(atomic_load(&hits) == 2);
  struct timespec none = {0, 1000};
  sigprocmask(SIG_BLOCK, &set, NULL);
  assert(sigtimedwait(&set, NULL, &none) == -1 && errno == EAGAIN);
  raise(SIGUSR1);
  assert(sigtimedwait(&set, NULL, &none) == SIGUSR1);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = add, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  assert(signal(SIGUSR1, count) == SIG_DFL && signal(SIGUSR1, count) == count);
  queue_and_mask();
  pthread_t waiter, sleeper;
  pthread_create(&waiter, NULL, wait_done, NULL);
  pthread_create(&sleeper, NULL, nap, NULL);
  for (int i = 0; i < 2; ++i) pthread_kill(waiter, SIGUSR1);
  pthread_kill(sleeper, SIGUSR1);
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_kill(waiter, SIGUSR1);
  pthread_join(waiter, NULL);
  pthread_join(sleeper, NULL);
  signal(SIGUSR2, SIG_IGN);
  assert(kill(getpid(), SIGUSR2) == 0);
  return 0;
}
