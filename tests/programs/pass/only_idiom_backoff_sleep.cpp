// SPDX-License-Identifier: Apache-2.0
// Exponential back-off: spin, then yield, then sleep for longer and longer, up to a limit.
// SCHEDULES: 20
#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace {

class Backoff {
 public:
  void operator()() {
    if (turn_ < 4) {
      for (int i = 0; i < (1 << turn_); ++i) __builtin_ia32_pause();
    } else if (turn_ < 6) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(1 << std::min(turn_, 10)));
    }
    ++turn_;
  }

 private:
  int turn_ = 0;
};

std::atomic<int> slot{0};
int sum = 0;

void produce(int from) {
  for (int value = from; value < from + 2; ++value) {
    Backoff backoff;
    for (int empty = 0; !slot.compare_exchange_strong(empty, value); empty = 0) backoff();
  }
}

void consume() {
  for (int i = 0; i < 4; ++i) {
    Backoff backoff;
    int value = 0;
    while ((value = slot.exchange(0)) == 0) backoff();
    sum += value;
  }
}

}  // namespace

int main() {
  std::thread first(produce, 1);
  std::thread second(produce, 10);
  std::thread consumer(consume);
  first.join();
  second.join();
  consumer.join();
  assert(sum == 1 + 2 + 10 + 11);
  return 0;
}
