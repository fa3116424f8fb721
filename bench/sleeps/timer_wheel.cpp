// SPDX-License-Identifier: Apache-2.0
//
// A timer wheel turned by its own thread: a timer fires at its tick and not before, a cancelled one
// never. A test of bench/sleeps.
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

#include "sleeps.h"

class TimerWheel {
 public:
  TimerWheel() : thread_([this] { turn(); }) {}
  ~TimerWheel() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  int add(int tick, std::function<void()> action) {
    std::lock_guard lock(mutex_);
    timers_[++last_id_] = {tick, std::move(action)};
    return last_id_;
  }
  void cancel(int id) {
    std::lock_guard lock(mutex_);
    timers_.erase(id);
  }
  void advance() {
    {
      std::lock_guard lock(mutex_);
      ++wanted_;
    }
    changed_.notify_one();
  }

 private:
  struct Timer {
    int tick;
    std::function<void()> action;
  };

  void turn() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || now_ < wanted_; });
      if (stopped_) return;
      ++now_;
      for (auto timer = timers_.begin(); timer != timers_.end();) {
        if (timer->second.tick != now_) {
          ++timer;
          continue;
        }
        timer->second.action();
        timer = timers_.erase(timer);
      }
      RADDLE_EVENT("ticked");
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, Timer> timers_;
  int last_id_ = 0;
  int now_ = 0;
  int wanted_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

SCHEDULE("ticked#1 -> looking1, ticked#2 -> looking2, ticked#3 -> looking3")

void test() {
  std::atomic<int> early{0};
  std::atomic<int> cancelled{0};
  std::atomic<int> late{0};
  TimerWheel wheel;
  wheel.add(1, [&] { ++early; });
  wheel.add(3, [&] { ++late; });
  const int doomed = wheel.add(2, [&] { ++cancelled; });
  wheel.advance();
  SLEEP(10);
  RADDLE_EVENT("looking1");
  CHECK(early == 1 && late == 0);
  wheel.cancel(doomed);
  wheel.advance();
  SLEEP(10);
  RADDLE_EVENT("looking2");
  CHECK(early == 1 && late == 0 && cancelled == 0);
  wheel.advance();
  SLEEP(10);
  RADDLE_EVENT("looking3");
  CHECK(late == 1 && cancelled == 0);
}
