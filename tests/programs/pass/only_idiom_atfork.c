// SPDX-License-Identifier: Apache-2.0
// pthread_atfork takes the lock before a fork and gives it back on both sides, so the child finds
// what it protects whole although another thread was at work.
// SCHEDULES: 20
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int left_half;
static int right_half;
static int prepared;

static void before(void) {
  pthread_mutex_lock(&guard);
  ++prepared;
}

static void after(void) { pthread_mutex_unlock(&guard); }

static void change(void) {
  pthread_mutex_lock(&guard);
  ++left_half;
  ++right_half;
  pthread_mutex_unlock(&guard);
}

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) change();
  return unused;
}

int main(void) {
  assert(pthread_atfork(before, after, after) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, work, NULL) == 0);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    change();
    _exit(left_half == right_half && left_half >= 1 && prepared == 1 ? 7 : 1);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert(pthread_join(thread, NULL) == 0);
  assert(left_half == 3 && right_half == 3 && prepared == 1);
  return 0;
}
