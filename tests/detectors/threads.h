// SPDX-License-Identifier: Apache-2.0
//
// What the programs of tests/detectors have in common: threads and locks from pthread.h alone,
// which compiles much faster than <thread> and <mutex>.
#pragma once

#include <pthread.h>

// Runs the functions in threads of their own and waits for them.
inline void run_together(void (*first)(), void (*second)(), void (*third)() = nullptr) {
  void (*bodies[])() = {first, second, third};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    if (bodies[i] != nullptr)
      pthread_create(
          &threads[i], nullptr,
          [](void* body) -> void* {
            reinterpret_cast<void (*)()>(body)();
            return nullptr;
          },
          reinterpret_cast<void*>(bodies[i]));
  for (int i = 0; i < 3; ++i)
    if (bodies[i] != nullptr) pthread_join(threads[i], nullptr);
}

struct Guard {
  explicit Guard(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
  ~Guard() { pthread_mutex_unlock(&mutex_); }
  pthread_mutex_t& mutex_;
};
