// SPDX-License-Identifier: Apache-2.0
// Counters that every thread keeps for itself: the constructor of a thread_local puts them on a
// list, the destructor adds them to the total and takes them off.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <list>
#include <mutex>
#include <numeric>
#include <thread>

namespace {

std::mutex guard;
struct Counter;
std::list<Counter*> counters;
long retired = 0;

struct Counter {
  Counter() {
    std::lock_guard lock(guard);
    at = counters.insert(counters.end(), this);
  }
  ~Counter() {
    std::lock_guard lock(guard);
    retired += value.load(std::memory_order_relaxed);
    counters.erase(at);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  std::atomic<long> value{0};
  std::list<Counter*>::iterator at;
};
thread_local Counter mine;

void count() { mine.value.store(mine.value.load(std::memory_order_relaxed) + 1); }

long total() {
  std::lock_guard lock(guard);
  return std::accumulate(counters.begin(), counters.end(), retired,
                         [](long sum, Counter* one) { return sum + one->value.load(); });
}

void work() {
  count();
  assert(total() >= 1 && total() <= 5);
  count();
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  count();
  long before = total();
  first.join();
  second.join();
  assert(before >= 1 && total() == 5 && counters.size() == 1);
  return 0;
}
