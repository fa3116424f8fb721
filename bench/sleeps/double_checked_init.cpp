// SPDX-License-Identifier: Apache-2.0
//
// Initialisation that checks twice: a second thread that saw nothing made waits at the lock and
// then finds what the first one made. A test of bench/sleeps.
#include <memory>
#include <mutex>

#include "sleeps.h"

struct Service {
  explicit Service(int made_by) : maker(made_by) {}
  int maker;
};

class Registry {
 public:
  ~Registry() { delete service_.load(); }

  Service& get(int caller) {
    Service* service = service_.load(std::memory_order_acquire);
    if (service != nullptr) return *service;
    ++slow_path_;
    RADDLE_EVENT(caller == 1 ? "slow1" : "slow2");
    std::lock_guard lock(mutex_);
    service = service_.load(std::memory_order_relaxed);
    if (service == nullptr) {
      RADDLE_EVENT("making");
      SLEEP(20);  // the other one comes to the lock
      RADDLE_EVENT("made");
      service = new Service(caller);
      ++made_;
      service_.store(service, std::memory_order_release);
    }
    return *service;
  }
  int made() const { return made_; }
  int slow_path() const { return slow_path_; }

 private:
  std::atomic<Service*> service_{nullptr};
  std::mutex mutex_;
  std::atomic<int> slow_path_{0};
  int made_ = 0;
};

SCHEDULE("making -> slow2, [slow2] -> made")

void test() {
  Registry registry;
  std::thread first([&] { CHECK(registry.get(1).maker == 1); });
  std::thread second([&] {
    SLEEP(10);  // the first one is making it
    CHECK(registry.get(2).maker == 1);
  });
  first.join();
  second.join();
  CHECK(registry.made() == 1);
  CHECK(registry.slow_path() == 2);
}
