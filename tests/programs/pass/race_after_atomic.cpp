// SPDX-License-Identifier: Apache-2.0
// Fixed: what releases is itself part of what whoever acquires it has seen.
#include <cassert>
#include <thread>

static int stored = 0, added = 0, seen = 0;

int main() {
  std::thread writer([] {
    __atomic_store_n(&seen, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&stored, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&added, 1, __ATOMIC_ACQ_REL);
  });
  while (__atomic_load_n(&seen, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  assert(seen == 1);
  while (__atomic_load_n(&stored, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  assert(stored == 1);
  while (__atomic_load_n(&added, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  assert(added == 1);
  writer.join();
}
