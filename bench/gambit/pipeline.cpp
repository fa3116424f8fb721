// SPDX-License-Identifier: Apache-2.0
//
// A pipeline of a source, two workers and a sink. The bug: the worker that sees the end of its
// input closes the output, while the other one still has an item in its hands. The fix: the last
// worker closes. A test of bench/gambit.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "gambit.h"

namespace {

class Channel {
 public:
  bool send(int item) {
    std::lock_guard<std::mutex> hold(lock_);
    if (closed_) return false;
    items_.push_back(item);
    changed_.notify_one();
    return true;
  }
  bool receive(int* item) {
    std::unique_lock<std::mutex> hold(lock_);
    changed_.wait(hold, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return false;
    *item = items_.front();
    items_.pop_front();
    return true;
  }
  void close() {
    std::lock_guard<std::mutex> hold(lock_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

template <bool fixed>
void test() {
  Channel input, output;
  std::atomic<int> workers{2};
  auto work = [&] {
    int item = 0;
    while (input.receive(&item)) output.send(item * item);
    if (!fixed || workers.fetch_sub(1) == 1) output.close();
  };
  gambit::Thread one(work);
  gambit::Thread two(work);
  for (int item = 1; item <= 4; ++item) input.send(item);
  input.close();
  int sum = 0, item = 0;
  while (output.receive(&item)) sum += item;
  RADDLE_ASSERT(sum == 30);
}

}  // namespace

const gambit::Test gambit::pipeline{"pipeline", "assertion",
                                    "closed while an item is in a worker's hands", test<false>,
                                    test<true>};
