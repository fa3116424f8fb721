// SPDX-License-Identifier: Apache-2.0
//
// A cache that forgets what was used least recently: a lookup by another thread saves an entry from
// eviction. A test of bench/sleeps.
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "sleeps.h"

class LruCache {
 public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  void put(const std::string& key, int value) {
    std::lock_guard lock(mutex_);
    entries_.emplace_front(key, value);
    if (entries_.size() > capacity_) entries_.pop_back();
  }
  std::optional<int> get(const std::string& key) {
    std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->first != key) continue;
      entries_.splice(entries_.begin(), entries_, entry);
      return entry->second;
    }
    return std::nullopt;
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::list<std::pair<std::string, int>> entries_;
};

SCHEDULE("filled -> touching, touched -> evicting, evicted -> looking")

void test() {
  LruCache cache(2);
  std::thread filler([&] {
    cache.put("a", 1);
    cache.put("b", 2);
    RADDLE_EVENT("filled");
    SLEEP(20);  // a is used
    RADDLE_EVENT("evicting");
    cache.put("c", 3);
    RADDLE_EVENT("evicted");
  });
  std::thread user([&] {
    SLEEP(10);  // both are there
    RADDLE_EVENT("touching");
    CHECK(cache.get("a") == 1);
    RADDLE_EVENT("touched");
  });
  SLEEP(30);
  RADDLE_EVENT("looking");
  CHECK(cache.get("a") == 1);
  CHECK(cache.get("b") == std::nullopt);
  CHECK(cache.get("c") == 3);
  filler.join();
  user.join();
}
