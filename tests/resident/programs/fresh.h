// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this folder have in common. Each looks whether everything is as a fresh
// process finds it, lets two threads contend, changes what it has looked at, and ends in the way
// that its first argument names. Further arguments:
//
//   thread   what is changed is changed by a thread, not by main
//   half     it is changed in some schedules only
//   number   asks for the number of the process, so that raddle does not compare runs with forks
//
// With pthreads only and few headers: there are many programs, and they are built in every test.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRESH(condition) fresh::expect((condition), #condition)

namespace fresh {

inline void expect(bool fine, const char* what) {
  if (fine) return;
  fprintf(stderr, "left behind, not so: %s (errno %d)\n", what, errno);
  _exit(99);
}

inline pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
inline int order;  // of the threads: one of 12 and 21
inline void (*leave)(int);
inline const char* how = "return";

inline void* contend(void* number) {
  pthread_mutex_lock(&lock);
  order = order * 10 + static_cast<int>(reinterpret_cast<long>(number));
  pthread_mutex_unlock(&lock);
  return nullptr;
}

inline void* leave_in_thread(void*) {
  leave(order);
  return nullptr;
}

inline void* exit_in_thread(void*) { exit(0); }

inline int recurse(int depth) {
  volatile char room[4096];
  room[depth % 4096] = 1;
  return depth > 1000000 ? 0 : recurse(depth + 1) + room[0];
}

inline bool is(const char* word, const char* other) { return strcmp(word, other) == 0; }

void end_by_signal(const char* how);
void end_in_waiting(const char* how);

// Ends the run; returns what main has to return.
inline int end(const char* how) {
  if (is(how, "exit")) exit(0);
  if (is(how, "_exit")) _exit(0);
  if (is(how, "_Exit")) _Exit(0);
  if (is(how, "quick_exit")) quick_exit(0);
  if (is(how, "code")) return 3;
  if (is(how, "throw")) throw 5;
  if (is(how, "pthread_exit")) pthread_exit(nullptr);
  if (is(how, "exec")) execl("/bin/true", "true", nullptr);
  if (is(how, "group")) syscall(SYS_exit_group, 0);
  if (is(how, "thread_exit")) {
    pthread_t thread;
    pthread_create(&thread, nullptr, exit_in_thread, nullptr);
    pthread_join(thread, nullptr);
  }
  if (is(how, "exit_in_exit")) {
    atexit([] { exit(0); });
    exit(3);
  }
  if (is(how, "_exit_in_exit")) atexit([] { _exit(0); });
  end_by_signal(how);
  end_in_waiting(how);
  return 0;
}

inline int run(int argc, char** argv, void (*look)(), void (*then)(int)) {
  if (argc > 1) how = argv[1];
  bool by_thread = false;
  bool half = false;
  for (int i = 2; i < argc; ++i) {
    by_thread |= is(argv[i], "thread");
    half |= is(argv[i], "half");
    if (is(argv[i], "number")) getpid();
  }
  look();
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i)
    pthread_create(&threads[i], nullptr, contend, reinterpret_cast<void*>(i + 1));
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  printf("%d\n", order);
  leave = then;
  if (half && order == 12) {
    // This schedule leaves nothing.
  } else if (by_thread) {
    pthread_t thread;
    pthread_create(&thread, nullptr, leave_in_thread, nullptr);
    pthread_join(thread, nullptr);
  } else {
    then(order);
  }
  return end(how);
}

}  // namespace fresh

#include "fresh_ends.h"
