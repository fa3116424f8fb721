// SPDX-License-Identifier: Apache-2.0
// A thousand threads alive at once: none ends before main has seen all of them start.
// SCHEDULES: 10
#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 1000;
std::latch started{kThreads};
std::latch go{1};
std::atomic<int> finished{0};

void work() {
  started.count_down();
  go.wait();
  finished.fetch_add(1);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work);
  started.wait();
  if (finished.load() != 0) return 1;
  go.count_down();
  for (std::thread& thread : threads) thread.join();
  return finished.load() == kThreads ? 0 : 1;
}
