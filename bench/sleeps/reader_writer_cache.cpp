// SPDX-License-Identifier: Apache-2.0
//
// A cache under a reader-writer lock: while a reader looks around, a writer waits, and the reader
// sees one state of the cache. A test of bench/sleeps.
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "sleeps.h"

class Cache {
 public:
  void put(const std::string& key, int value) {
    std::unique_lock lock(mutex_);
    entries_[key] = value;
    ++version_;
  }

  // Calls visit(version, value) under the reader's lock.
  template <class Visit>
  void look(const std::string& key, Visit visit) {
    std::shared_lock lock(mutex_);
    const auto found = entries_.find(key);
    visit([&] { return version_; }, found == entries_.end() ? 0 : found->second);
  }

 private:
  std::shared_mutex mutex_;
  std::map<std::string, int> entries_;
  int version_ = 0;
};

SCHEDULE("reading -> writing, [writing] -> readAgain, end@writer -> lookingLast")

void test() {
  Cache cache;
  cache.put("a", 1);
  int seen_first = 0;
  int seen_last = 0;
  int version_first = 0;
  int version_second = 0;
  std::thread reader([&] {
    cache.look("a", [&](auto version, int value) {
      seen_first = value;
      version_first = version();
      RADDLE_EVENT("reading");
      SLEEP(20);  // the writer comes
      RADDLE_EVENT("readAgain");
      version_second = version();
    });
  });
  std::thread writer([&] {
    raddle::name_thread("writer");
    SLEEP(10);  // the reader is inside
    RADDLE_EVENT("writing");
    cache.put("a", 2);
  });
  SLEEP(40);
  RADDLE_EVENT("lookingLast");
  cache.look("a", [&](auto, int value) { seen_last = value; });
  reader.join();
  writer.join();
  CHECK(seen_first == 1);
  CHECK(version_first == 1 && version_second == 1);
  CHECK(seen_last == 2);
}
