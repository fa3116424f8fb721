// SPDX-License-Identifier: Apache-2.0
//
// A thread is what its attributes say: signal mask, stack, default attributes, scheduling, name;
// and times on clocks nobody can wait for are refused. All as glibc has it. SCHEDULES: 10
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { kStack = 256 << 10 };
static _Alignas(16) char static_stack[kStack];
static char* stack;
static pthread_attr_t attributes;

static void check_own_stack(size_t expected) {
  pthread_attr_t own;
  void* low;
  size_t size;
  char here;
  assert(pthread_getattr_np(pthread_self(), &own) == 0);
  pthread_attr_getstack(&own, &low, &size);
  assert(&here >= (char*)low && &here < (char*)low + size && size == expected);
  pthread_attr_destroy(&own);
}

static void* on_given_stack(void* unused) {
  char here;
  assert(&here >= stack && &here < stack + kStack);
  check_own_stack(kStack);
  return unused;
}

static void* with_default_stack(void* unused) {
  check_own_stack(1 << 20);
  return unused;
}

static void* with_mask(void* unused) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  assert(sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2));
  return unused;
}

static void* with_name(void* unused) {
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
  assert(pthread_getname_np(pthread_self(), name, 16) == 0 && strcmp(name, "creator") == 0);
  prctl(PR_SET_NAME, "much longer than allowed");
  assert(pthread_getname_np(pthread_self(), name, 16) == 0 && strcmp(name, "much longer tha") == 0);
  prctl(PR_GET_NAME, name);
  assert(strcmp(name, "much longer tha") == 0);
  return unused;
}

static void* with_policy(void* unused) {
  int policy;
  struct sched_param parameters;
  pthread_getschedparam(pthread_self(), &policy, &parameters);
  assert(policy == SCHED_FIFO && parameters.sched_priority == 20);
  assert(sched_getscheduler(0) == SCHED_FIFO);
  assert(pthread_setschedprio(pthread_self(), 0) == EINVAL);
  return unused;
}

static int run(void* (*body)(void*), const pthread_attr_t* with) {
  pthread_t thread;
  int error = pthread_create(&thread, with, body, NULL);
  return error != 0 ? error : pthread_timedjoin_np(thread, NULL, NULL);
}

static void check_scheduling(void) {
  struct sched_param twenty = {.sched_priority = 20};
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
  assert(run(with_policy, &attributes) == EINVAL);  // its priority is 0
  pthread_attr_setschedparam(&attributes, &twenty);
  int error = run(with_policy, &attributes);
  assert(error == 0 || error == EPERM);
  assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &twenty) == EINVAL);
  assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &twenty) == error);
  assert(sched_getscheduler(0) == (error == 0 ? SCHED_FIFO : SCHED_OTHER));
  twenty.sched_priority = 0;
  assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &twenty) == 0);
  assert(sched_setscheduler(0, 77, &twenty) == -1 && errno == EINVAL);
}

static void check_clocks(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  sem_t one;
  struct timespec past = {0, 0}, wrong = {0, -1};
  sem_init(&one, 0, 1);
  assert(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &past) == EINVAL);
  assert(pthread_mutex_timedlock(&mutex, &wrong) == 0);
  assert(pthread_mutex_timedlock(&mutex, &wrong) == EINVAL);
  assert(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
  assert(pthread_rwlock_clockrdlock(&rwlock, CLOCK_TAI, &past) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&rwlock, -1, &past) == EINVAL);
  assert(sem_clockwait(&one, CLOCK_MONOTONIC_RAW, &past) == -1 && errno == EINVAL);
  assert(pthread_clockjoin_np(pthread_self(), NULL, 99, &past) == EINVAL);
  assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &past, NULL) == EINVAL);
  assert(clock_nanosleep(CLOCK_MONOTONIC_COARSE, 0, &past, NULL) == ENOTSUP);
}

int main(void) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  pthread_attr_init(&attributes);
  pthread_attr_setsigmask_np(&attributes, &mask);
  assert(run(with_mask, &attributes) == 0);
  for (int i = 0; i < 3; ++i) {  // used again after a join
    stack = i == 0 ? static_stack : aligned_alloc(4096, kStack);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, kStack);
    assert(run(on_given_stack, &attributes) == 0 && run(on_given_stack, &attributes) == 0);
    if (i > 0) free(stack);
  }
  char name[32];
  assert(pthread_setname_np(pthread_self(), "sixteen letters!") == ERANGE);
  assert(pthread_setname_np(pthread_self(), "creator") == 0);
  FILE* file = fopen("/proc/thread-self/comm", "r");
  assert(fgets(name, sizeof name, file) != NULL && strcmp(name, "creator\n") == 0);
  fclose(file);
  assert(run(with_name, NULL) == 0);
  check_scheduling();
  check_clocks();
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  assert(pthread_setattr_default_np(&attributes) == 0);
  assert(run(with_default_stack, NULL) == 0);
}
