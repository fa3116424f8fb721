// SPDX-License-Identifier: Apache-2.0
//
// Closing a channel wakes the receiver that waits for more, after it got all that was sent.
// A test of bench/sleeps.
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>

#include "sleeps.h"

class Channel {
 public:
  void send(int value) {
    std::lock_guard lock(mutex_);
    values_.push(value);
    changed_.notify_one();
  }
  std::optional<int> receive() {
    std::unique_lock lock(mutex_);
    ++receivers_;
    changed_.wait(lock, [&] { return closed_ || !values_.empty(); });
    --receivers_;
    if (values_.empty()) return std::nullopt;
    const int value = values_.front();
    values_.pop();
    return value;
  }
  // The number of receivers that it wakes.
  int close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
    return receivers_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<int> values_;
  int receivers_ = 0;
  bool closed_ = false;
};

SCHEDULE("[receiving#3] -> closing, end@consumer -> looking")

void test() {
  Channel channel;
  std::atomic<int> sum{0};
  std::atomic<bool> ended{false};
  std::thread consumer([&] {
    raddle::name_thread("consumer");
    for (;;) {
      RADDLE_EVENT("receiving");
      const auto value = channel.receive();
      if (!value) break;
      sum += *value;
    }
    ended = true;
  });
  channel.send(1);
  channel.send(2);
  SLEEP(15);  // both are received, the consumer waits
  RADDLE_EVENT("closing");
  CHECK(sum == 3);
  CHECK(channel.close() == 1);
  SLEEP(10);
  RADDLE_EVENT("looking");
  CHECK(ended);
  consumer.join();
}
