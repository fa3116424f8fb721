// SPDX-License-Identifier: Apache-2.0
//
// A topic: who subscribes late gets what is published from then on, who was there gets all.
// A test of bench/sleeps.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <vector>

#include "sleeps.h"

class Topic {
 public:
  class Subscription {
   public:
    std::string next() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !messages_.empty(); });
      std::string message = std::move(messages_.front());
      messages_.pop();
      return message;
    }

   private:
    friend class Topic;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<std::string> messages_;
  };

  std::shared_ptr<Subscription> subscribe() {
    auto subscription = std::make_shared<Subscription>();
    std::lock_guard lock(mutex_);
    subscriptions_.push_back(subscription);
    return subscription;
  }
  void publish(const std::string& message) {
    std::lock_guard lock(mutex_);
    for (auto& subscription : subscriptions_) {
      std::lock_guard inner(subscription->mutex_);
      subscription->messages_.push(message);
      subscription->changed_.notify_one();
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<Subscription>> subscriptions_;
};

SCHEDULE(
    "subscribed1 -> publishing1, published1 -> subscribing2,"
    "subscribed2 && [waitingForSecond] -> publishing2")

void test() {
  Topic topic;
  std::string early;
  std::string late;
  std::thread first([&] {
    auto subscription = topic.subscribe();
    RADDLE_EVENT("subscribed1");
    early = subscription->next();
    RADDLE_EVENT("waitingForSecond");
    early += subscription->next();
  });
  std::thread second([&] {
    SLEEP(15);  // the first message is out
    RADDLE_EVENT("subscribing2");
    auto subscription = topic.subscribe();
    RADDLE_EVENT("subscribed2");
    late = subscription->next();
  });
  SLEEP(5);  // the first subscriber is there
  RADDLE_EVENT("publishing1");
  topic.publish("a");
  RADDLE_EVENT("published1");
  SLEEP(20);  // both are there
  RADDLE_EVENT("publishing2");
  topic.publish("b");
  SLEEP(5);
  topic.publish("c");  // nobody waits for ever if one came too late
  topic.publish("d");
  first.join();
  second.join();
  CHECK(early == "ab");
  CHECK(late == "b");
}
