// SPDX-License-Identifier: Apache-2.0
// All signals are blocked everywhere; one thread takes them with sigwait, and reloads or ends.
// SCHEDULES: 20
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int reloads;
static bool ended;
static sigset_t signals;

static void* take_signals(void* unused) {
  int number = 0;
  do {
    assert(sigwait(&signals, &number) == 0);
    pthread_mutex_lock(&guard);
    if (number == SIGHUP) ++reloads;
    if (number == SIGTERM) ended = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&guard);
  } while (number != SIGTERM);
  return unused;
}

static void* work(void* unused) {
  pthread_mutex_lock(&guard);
  while (!ended) pthread_cond_wait(&changed, &guard);
  assert(reloads == 1);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  sigaddset(&signals, SIGTERM);
  assert(pthread_sigmask(SIG_BLOCK, &signals, NULL) == 0);
  pthread_t taker;
  pthread_t worker;
  assert(pthread_create(&taker, NULL, take_signals, NULL) == 0);
  assert(pthread_create(&worker, NULL, work, NULL) == 0);
  assert(kill(getpid(), SIGHUP) == 0);
  pthread_mutex_lock(&guard);
  while (reloads == 0) pthread_cond_wait(&changed, &guard);
  pthread_mutex_unlock(&guard);
  assert(pthread_kill(taker, SIGTERM) == 0);
  assert(pthread_join(taker, NULL) == 0 && pthread_join(worker, NULL) == 0);
  return 0;
}
