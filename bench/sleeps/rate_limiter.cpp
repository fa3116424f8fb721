// SPDX-License-Identifier: Apache-2.0
//
// A token bucket: callers beyond the burst wait for the refill, in the order in which they came.
// A test of bench/sleeps.
#include <condition_variable>
#include <mutex>
#include <vector>

#include "sleeps.h"

class RateLimiter {
 public:
  explicit RateLimiter(int burst) : tokens_(burst) {}

  void acquire() {
    std::unique_lock lock(mutex_);
    const int ticket = last_ticket_++;
    changed_.wait(lock, [&] { return ticket == serving_ && tokens_ > 0; });
    --tokens_;
    ++serving_;
    changed_.notify_all();
  }
  void refill(int tokens) {
    std::lock_guard lock(mutex_);
    tokens_ += tokens;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int tokens_;
  int last_ticket_ = 0;
  int serving_ = 0;
};

SCHEDULE(
    "[acquiringA] -> acquiringB, [acquiringA] && [acquiringB] -> refilling1,"
    "gotA -> refilling2, gotB -> looking")

void test() {
  RateLimiter limiter(1);
  std::mutex mutex;
  std::vector<char> order;
  const auto note = [&](char who) {
    std::lock_guard lock(mutex);
    order.push_back(who);
  };
  limiter.acquire();  // the burst is used up
  std::thread a([&] {
    RADDLE_EVENT("acquiringA");
    limiter.acquire();
    note('a');
    RADDLE_EVENT("gotA");
  });
  std::thread b([&] {
    SLEEP(10);  // a came first
    RADDLE_EVENT("acquiringB");
    limiter.acquire();
    note('b');
    RADDLE_EVENT("gotB");
  });
  SLEEP(20);
  RADDLE_EVENT("refilling1");
  CHECK(order.empty());
  limiter.refill(1);
  SLEEP(10);
  RADDLE_EVENT("refilling2");
  {
    std::lock_guard lock(mutex);
    CHECK(order == std::vector<char>{'a'});
  }
  limiter.refill(1);
  SLEEP(10);
  RADDLE_EVENT("looking");
  {
    std::lock_guard lock(mutex);
    CHECK((order == std::vector<char>{'a', 'b'}));
  }
  a.join();
  b.join();
}
