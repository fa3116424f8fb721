// SPDX-License-Identifier: Apache-2.0
//
// A port: items are posted to it and receivers are registered with it, and whoever comes second
// brings the two together. The bug: looking for the other side and leaving one's own are two
// critical sections, so item and receiver can lie there side by side for ever. A test of
// bench/gambit.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "gambit.h"

namespace {

// What a receiver waits on.
class Mailbox {
 public:
  void deliver(int item) {
    std::lock_guard<std::mutex> hold(lock_);
    item_ = item;
    there_.notify_one();
  }
  int wait() {
    std::unique_lock<std::mutex> hold(lock_);
    there_.wait(hold, [&] { return item_ != 0; });
    return item_;
  }

 private:
  std::mutex lock_;
  std::condition_variable there_;
  int item_ = 0;
};

template <bool fixed>
class Port {
 public:
  void post(int item) {
    std::unique_lock<std::mutex> hold(lock_);
    if (!receivers_.empty()) {
      Mailbox* receiver = receivers_.front();
      receivers_.pop_front();
      hold.unlock();
      receiver->deliver(item);
      return;
    }
    pause_if_buggy(hold);
    items_.push_back(item);
  }

  void receive(Mailbox* receiver) {
    std::unique_lock<std::mutex> hold(lock_);
    if (!items_.empty()) {
      const int item = items_.front();
      items_.pop_front();
      hold.unlock();
      receiver->deliver(item);
      return;
    }
    pause_if_buggy(hold);
    receivers_.push_back(receiver);
  }

 private:
  // The lock is not held while memory for the list is got.
  static void pause_if_buggy(std::unique_lock<std::mutex>& hold) {
    if (fixed) return;
    hold.unlock();
    hold.lock();
  }

  std::mutex lock_;
  std::deque<int> items_;
  std::deque<Mailbox*> receivers_;
};

template <bool fixed>
void test() {
  Port<fixed> port;
  gambit::Thread poster([&] {
    for (int item = 1; item <= 3; ++item) port.post(item);
  });
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    Mailbox mailbox;
    port.receive(&mailbox);
    sum += mailbox.wait();
  }
  poster.join();
  RADDLE_ASSERT(sum == 6);
}

}  // namespace

const gambit::Test gambit::port{"port", "deadlock", "item and receiver miss each other",
                                test<false>, test<true>};
