// SPDX-License-Identifier: Apache-2.0
// Loops that look at the clock: a thread spins until a deadline has passed, another one sleeps
// until it, and an answer that comes first ends a third loop early.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
std::atomic<bool> answer{false};
std::atomic<int> late{0};

void spin_until(Clock::time_point deadline) {
  while (Clock::now() < deadline) std::this_thread::yield();
  assert(Clock::now() >= deadline);
  late.fetch_add(1);
}

bool wait_for_answer(Clock::duration limit) {
  auto deadline = Clock::now() + limit;
  while (!answer.load(std::memory_order_acquire)) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

}  // namespace

int main() {
  auto deadline = Clock::now() + 5ms;
  std::thread spinner(spin_until, deadline);
  std::thread sleeper([&] {
    std::this_thread::sleep_until(deadline);
    assert(Clock::now() >= deadline);
    late.fetch_add(1);
    answer.store(true, std::memory_order_release);
  });
  bool early = wait_for_answer(2ms);
  spinner.join();
  sleeper.join();
  assert(late.load() == 2 && (early || answer.load()));
  assert(wait_for_answer(1h));
  return 0;
}
