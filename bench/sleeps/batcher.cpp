// SPDX-License-Identifier: Apache-2.0
//
// Items are collected into batches: a full batch goes out by itself, a partial one when it is
// flushed. A test of bench/sleeps.
#include <condition_variable>
#include <mutex>
#include <vector>

#include "sleeps.h"

class Batcher {
 public:
  explicit Batcher(std::size_t size) : size_(size), sender_([this] { send(); }) {}
  ~Batcher() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_one();
    }
    sender_.join();
  }
  void add(int item) {
    std::lock_guard lock(mutex_);
    items_.push_back(item);
    if (items_.size() >= size_) changed_.notify_one();
  }
  void flush() {
    std::lock_guard lock(mutex_);
    flush_ = true;
    changed_.notify_one();
  }
  std::vector<std::size_t> sent() {
    std::lock_guard lock(mutex_);
    return sent_;
  }

 private:
  void send() {
    std::unique_lock lock(mutex_);
    for (;;) {
      RADDLE_EVENT("collecting");
      changed_.wait(lock, [&] { return stopped_ || flush_ || items_.size() >= size_; });
      if (stopped_) return;
      sent_.push_back(items_.size());
      items_.clear();
      flush_ = false;
    }
  }

  const std::size_t size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> items_;
  std::vector<std::size_t> sent_;
  bool flush_ = false;
  bool stopped_ = false;
  std::thread sender_;
};

SCHEDULE("[collecting#1] -> adding, [collecting#2] -> addingMore, [collecting#3] -> looking")

void test() {
  Batcher batcher(2);
  SLEEP(5);
  RADDLE_EVENT("adding");
  batcher.add(1);
  CHECK(batcher.sent().empty());
  batcher.add(2);
  SLEEP(10);  // the full batch goes out
  RADDLE_EVENT("addingMore");
  CHECK(batcher.sent() == std::vector<std::size_t>{2});
  batcher.add(3);
  batcher.flush();
  SLEEP(10);
  RADDLE_EVENT("looking");
  CHECK((batcher.sent() == std::vector<std::size_t>{2, 1}));
}
