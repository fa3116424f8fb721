// SPDX-License-Identifier: Apache-2.0
//
// A cache with a lock for each bucket and one for the order of use. The bug: a lookup takes the
// bucket's lock and then the order's, an insertion that has to evict takes the order's and then a
// bucket's. The fix: the victim is chosen first and removed when the order's lock is free again. A
// test of bench/gambit.
#include <array>
#include <list>
#include <mutex>
#include <set>

#include "gambit.h"

namespace {

template <bool fixed>
class LruCache {
 public:
  bool touch(int key) {
    Bucket& bucket = bucket_of(key);
    std::lock_guard<std::mutex> hold(bucket.lock);
    if (bucket.keys.count(key) == 0) return false;
    std::lock_guard<std::mutex> hold_order(order_lock_);
    order_.remove(key);
    order_.push_back(key);
    return true;
  }

  void insert(int key) {
    {
      Bucket& bucket = bucket_of(key);
      std::lock_guard<std::mutex> hold(bucket.lock);
      bucket.keys.insert(key);
    }
    std::unique_lock<std::mutex> hold_order(order_lock_);
    order_.push_back(key);
    if (order_.size() <= 2) return;
    const int victim = order_.front();
    order_.pop_front();
    if (fixed) hold_order.unlock();
    Bucket& bucket = bucket_of(victim);
    std::lock_guard<std::mutex> hold(bucket.lock);
    bucket.keys.erase(victim);
  }

 private:
  struct Bucket {
    std::mutex lock;
    std::set<int> keys;
  };
  Bucket& bucket_of(int key) { return buckets_[static_cast<std::size_t>(key) % buckets_.size()]; }

  std::array<Bucket, 2> buckets_;
  std::mutex order_lock_;
  std::list<int> order_;
};

template <bool fixed>
void test() {
  LruCache<fixed> cache;
  cache.insert(0);
  cache.insert(1);
  gambit::Thread user([&] {
    for (int i = 0; i < 4; ++i) cache.touch(i);
  });
  cache.insert(2);
  cache.insert(3);
}

}  // namespace

const gambit::Test gambit::lru_cache{
    "lru_cache", "deadlock", "bucket and order are locked in both orders", test<false>, test<true>};
