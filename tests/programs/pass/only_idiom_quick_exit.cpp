// SPDX-License-Identifier: Apache-2.0
// quick_exit while threads wait and spin: static destructors do not run, handlers of at_quick_exit
// do.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <semaphore>
#include <thread>

namespace {

struct NotDestroyed {
  ~NotDestroyed() { std::abort(); }
} not_destroyed;

std::binary_semaphore never{0};
std::atomic<bool> stop{false};
std::atomic<int> handlers{0};

}  // namespace

int main() {
  std::at_quick_exit([] {
    assert(handlers.fetch_add(1) == 1);
    std::_Exit(0);
  });
  std::at_quick_exit([] { assert(handlers.fetch_add(1) == 0); });
  std::thread waits([] { never.acquire(); });
  std::thread spins([] {
    while (!stop.load()) std::this_thread::yield();
  });
  waits.detach();
  std::thread ends([&] { std::quick_exit(9); });
  ends.join();
  spins.join();
  return 1;
}
