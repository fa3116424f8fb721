// SPDX-License-Identifier: Apache-2.0
// The deque of Chase and Lev: the owner works at the bottom, thieves take from the top.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr long kSize = 4;
std::array<std::atomic<int>, kSize> cells{};
std::atomic<long> top{0};
std::atomic<long> bottom{0};
std::atomic<int> taken[6];

void push(int job) {
  long at = bottom.load(std::memory_order_relaxed);
  assert(at - top.load(std::memory_order_acquire) < kSize);
  cells[at % kSize].store(job, std::memory_order_relaxed);
  bottom.store(at + 1, std::memory_order_release);
}

int take() {
  long at = bottom.load(std::memory_order_relaxed) - 1;
  bottom.store(at, std::memory_order_seq_cst);
  long first = top.load(std::memory_order_seq_cst);
  if (first > at) {
    bottom.store(at + 1, std::memory_order_relaxed);
    return -1;
  }
  int job = cells[at % kSize].load(std::memory_order_relaxed);
  if (first < at) return job;
  if (!top.compare_exchange_strong(first, first + 1)) job = -1;  // a thief had the last one
  bottom.store(at + 1, std::memory_order_relaxed);
  return job;
}

int steal() {
  long first = top.load(std::memory_order_seq_cst);
  long at = bottom.load(std::memory_order_seq_cst);
  if (first >= at) return -1;
  int job = cells[first % kSize].load(std::memory_order_relaxed);
  return top.compare_exchange_strong(first, first + 1) ? job : -1;
}

void done(int job) {
  if (job >= 0) assert(taken[job].fetch_add(1) == 0);
}

void thief() {
  for (int i = 0; i < 3; ++i) done(steal());
}

}  // namespace

int main() {
  std::thread first(thief);
  std::thread second(thief);
  for (int job = 0; job < 6; job += 2) {
    push(job);
    push(job + 1);
    done(take());
    done(take());
  }
  first.join();
  second.join();
  for (int job = take(); job >= 0; job = take()) done(job);
  for (auto& count : taken) assert(count.load() == 1);
  return 0;
}
