// SPDX-License-Identifier: Apache-2.0
//
// Unsubscribing from an event bus waits for a handler that is running, so that what the handler
// uses can be destroyed afterwards. A test of bench/sleeps.
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

#include "sleeps.h"

class EventBus {
 public:
  int subscribe(std::function<void(int)> handler) {
    std::lock_guard lock(mutex_);
    handlers_[++last_id_] = {std::move(handler), 0};
    return last_id_;
  }
  void unsubscribe(int id) {
    std::unique_lock lock(mutex_);
    if (handlers_[id].running > 0) ++waits_;
    idle_.wait(lock, [&] { return handlers_[id].running == 0; });
    handlers_.erase(id);
  }
  void publish(int message) {
    std::unique_lock lock(mutex_);
    for (auto& [id, subscription] : handlers_) {
      ++subscription.running;
      lock.unlock();
      subscription.handler(message);
      lock.lock();
      --subscription.running;
      idle_.notify_all();
      break;  // one subscriber is enough here
    }
  }
  int waits() const { return waits_; }

 private:
  struct Subscription {
    std::function<void(int)> handler;
    int running;
  };
  std::mutex mutex_;
  std::condition_variable idle_;
  std::map<int, Subscription> handlers_;
  int last_id_ = 0;
  int waits_ = 0;
};

SCHEDULE("handling -> unsubscribing, [unsubscribing] -> handled")

void test() {
  EventBus bus;
  std::atomic<bool> alive{true};
  std::atomic<int> seen_alive{0};
  const int subscription = bus.subscribe([&](int) {
    RADDLE_EVENT("handling");
    SLEEP(20);  // main unsubscribes
    RADDLE_EVENT("handled");
    if (alive) ++seen_alive;
  });
  std::thread publisher([&] { bus.publish(7); });
  SLEEP(10);  // the handler runs
  RADDLE_EVENT("unsubscribing");
  bus.unsubscribe(subscription);
  alive = false;
  publisher.join();
  CHECK(seen_alive == 1);
  CHECK(bus.waits() == 1);
}
