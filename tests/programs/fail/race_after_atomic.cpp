// SPDX-License-Identifier: Apache-2.0
// Bug: who has seen a flag by a relaxed load goes on to read it plainly.
// EXPECT: kind=data-race within=100 message~"not atomic"
#include <cassert>
#include <thread>

static int stored = 0, added = 0;

int main() {
  std::thread writer([] {
    __atomic_store_n(&stored, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
  });
  while (__atomic_load_n(&added, __ATOMIC_RELAXED) == 0) std::this_thread::yield();
  assert(stored == 1 && added == 1);
  writer.join();
}
