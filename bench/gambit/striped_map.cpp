// SPDX-License-Identifier: Apache-2.0
//
// A hash map with a lock for every other bucket, which doubles its buckets when it gets full. The
// bug: the bucket is computed before its lock is held, and the map may have grown in between: the
// key is put where nobody looks for it. A test of bench/gambit.
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "gambit.h"

namespace {

template <bool fixed>
class StripedMap {
 public:
  StripedMap() : buckets_(2) {}

  void insert(int key) {
    {
      std::size_t bucket = bucket_of(key);
      std::unique_lock<std::mutex> hold(lock_of(bucket));
      if (fixed) bucket = bucket_of(key);  // the stripe is the same at every size
      if (bucket < buckets_.size()) buckets_[bucket].push_back(key);
    }
    if (keys_.fetch_add(1) + 1 == 3) grow();
  }

  bool contains(int key) {
    const std::size_t stripe = static_cast<std::size_t>(key) % stripes_.size();
    std::lock_guard<std::mutex> hold(stripes_[stripe]);
    for (int each : buckets_[bucket_of(key)])
      if (each == key) return true;
    return false;
  }

 private:
  std::size_t bucket_of(int key) { return static_cast<std::size_t>(key) % size_.load(); }
  std::mutex& lock_of(std::size_t bucket) { return stripes_[bucket % stripes_.size()]; }

  void grow() {
    std::lock_guard<std::mutex> hold_even(stripes_[0]);
    std::lock_guard<std::mutex> hold_odd(stripes_[1]);
    std::vector<std::vector<int>> larger(2 * buckets_.size());
    for (const std::vector<int>& bucket : buckets_)
      for (int key : bucket) larger[static_cast<std::size_t>(key) % larger.size()].push_back(key);
    buckets_ = larger;
    size_.store(larger.size());
  }

  std::array<std::mutex, 2> stripes_;
  std::vector<std::vector<int>> buckets_;  // all locks to change its size, one to use a bucket
  std::atomic<std::size_t> size_{2};
  std::atomic<int> keys_{0};
};

template <bool fixed>
void test() {
  StripedMap<fixed> map;
  map.insert(0);
  gambit::Thread one([&] {
    map.insert(2);
    map.insert(5);
  });
  map.insert(7);
  map.insert(4);
  one.join();
  for (int key : {0, 2, 4, 5, 7}) RADDLE_ASSERT(map.contains(key));
}

}  // namespace

const gambit::Test gambit::striped_map{"striped_map", "assertion",
                                       "the bucket is that of the map before it grew", test<false>,
                                       test<true>};
