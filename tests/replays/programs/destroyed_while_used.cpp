// SPDX-License-Identifier: Apache-2.0
//
// A static object is destroyed while a thread uses it; the thread sees that it is gone.
#include <atomic>
#include <cstdlib>
#include <thread>

struct Cache {
  std::atomic<int> alive{1};
  ~Cache() {
    alive = 0;
    alive.load();
    alive.load();
  }
};

Cache cache;

int main() {
  std::thread([] {
    for (int i = 0; i < 3; ++i)
      if (cache.alive == 0) std::abort();
  }).detach();
  cache.alive.load();
}
