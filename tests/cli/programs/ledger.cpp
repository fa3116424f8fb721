// SPDX-License-Identifier: Apache-2.0
//
// Two threads add to a balance, in two steps. With the argument `locked` below a lock; with
// `failed` the program always fails; with `checked` it fails when an addition was lost.
#include <atomic>
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

std::mutex lock;
std::atomic<int> balance{0};

void add(bool locked) {
  std::unique_lock<std::mutex> guard(lock, std::defer_lock);
  if (locked) guard.lock();
  int before = balance.load();  // where: P
  balance.store(before + 1);    // where: I
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  bool locked = strcmp(mode, "locked") == 0;
#ifdef RADDLE_TEST_ANOTHER_BUILD
  if (argc > 2) return 3;
#endif
  std::thread first(add, locked), second(add, locked);
  first.join();
  second.join();
  assert(strcmp(mode, "failed") != 0);
  assert(strcmp(mode, "checked") != 0 || balance.load() == 2);
}
