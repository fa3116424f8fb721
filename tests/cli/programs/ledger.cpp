// SPDX-License-Identifier: Apache-2.0
//
// Two threads add to a balance, in two steps. With the argument `locked` below a lock; with
// `failed` the program always fails; with `checked` it fails when an addition was lost.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <atomic>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
bool locked = false;
std::atomic<int> balance{0};

void* add(void*) {
  if (locked) pthread_mutex_lock(&lock);
  int before = balance.load();  // where: P
  balance.store(before + 1);    // where: I
  if (locked) pthread_mutex_unlock(&lock);
  return nullptr;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  locked = strcmp(mode, "locked") == 0;
#ifdef RADDLE_TEST_ANOTHER_BUILD
  if (argc > 2) return 3;
#endif
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, add, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  assert(strcmp(mode, "failed") != 0);
  assert(strcmp(mode, "checked") != 0 || balance.load() == 2);
}
