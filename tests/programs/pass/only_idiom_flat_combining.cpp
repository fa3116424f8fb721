// SPDX-License-Identifier: Apache-2.0
// Flat combining: whoever gets the lock carries out the requests of all the others.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <set>
#include <thread>

namespace {

struct Request {
  std::atomic<int> amount{0};  // 0: none, or answered
  int answer = 0;
};
std::array<Request, 3> requests;
std::mutex combiner;
int total = 0;

int add(int me, int amount) {
  Request& mine = requests[me];
  mine.amount.store(amount, std::memory_order_release);
  while (mine.amount.load(std::memory_order_acquire) != 0) {
    std::unique_lock lock(combiner, std::try_to_lock);
    if (!lock) {
      std::this_thread::yield();
      continue;
    }
    for (Request& request : requests) {
      int wanted = request.amount.load(std::memory_order_acquire);
      if (wanted == 0) continue;
      total += wanted;
      request.answer = total;
      request.amount.store(0, std::memory_order_release);
    }
  }
  return mine.answer;
}

}  // namespace

int main() {
  std::array<int, 3> last{};
  std::thread first([&] { last[1] = (add(1, 1), add(1, 1)); });
  std::thread second([&] { last[2] = (add(2, 10), add(2, 10)); });
  last[0] = add(0, 100);
  first.join();
  second.join();
  assert(total == 122);
  assert(std::set<int>(last.begin(), last.end()).size() == 3);  // no two had the same sum
  return 0;
}
