// SPDX-License-Identifier: Apache-2.0
//
// A bag with a list for each thread: who has an empty list steals half of another's. The bug: while
// the stolen items are carried from list to list they are in neither, and a thread that takes at
// that moment is told that the bag is empty. The fix: what is stolen beyond the item to return is
// counted, and nobody gives up while something is on its way. A test of bench/gambit.
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "gambit.h"

namespace {

template <bool fixed>
class Bag {
 public:
  explicit Bag(int threads) : lists_(threads) {}

  void add(int thread, int item) {
    std::lock_guard<std::mutex> hold(lists_[thread].lock);
    lists_[thread].items.push_back(item);
  }

  std::optional<int> try_take(int thread) {
    for (;;) {
      if (auto own = take_from(thread)) return own;
      for (int victim = 0; victim < static_cast<int>(lists_.size()); ++victim)
        if (victim != thread)
          if (auto stolen = steal(thread, victim)) return stolen;
      if (!fixed || all_empty()) return std::nullopt;
      std::this_thread::yield();
    }
  }

 private:
  struct List {
    std::mutex lock;
    std::vector<int> items;
  };

  std::optional<int> take_from(int thread) {
    std::lock_guard<std::mutex> hold(lists_[thread].lock);
    if (lists_[thread].items.empty()) return std::nullopt;
    int item = lists_[thread].items.back();
    lists_[thread].items.pop_back();
    return item;
  }

  std::optional<int> steal(int thread, int victim) {
    std::vector<int> loot;
    {
      std::lock_guard<std::mutex> hold(lists_[victim].lock);
      std::vector<int>& items = lists_[victim].items;
      if (items.empty()) return std::nullopt;
      std::size_t half = (items.size() + 1) / 2;
      loot.assign(items.begin(), items.begin() + static_cast<long>(half));
      items.erase(items.begin(), items.begin() + static_cast<long>(half));
      in_transit_.fetch_add(1);
    }
    int item = loot.back();
    loot.pop_back();
    {
      std::lock_guard<std::mutex> hold(lists_[thread].lock);
      lists_[thread].items.insert(lists_[thread].items.end(), loot.begin(), loot.end());
      in_transit_.fetch_sub(1);
    }
    return item;
  }

  // With all locks at once nothing can come in behind the back.
  bool all_empty() {
    std::vector<std::unique_lock<std::mutex>> holds;
    for (List& list : lists_) holds.emplace_back(list.lock);
    if (in_transit_.load() != 0) return false;
    for (List& list : lists_)
      if (!list.items.empty()) return false;
    return true;
  }

  std::vector<List> lists_;
  std::atomic<int> in_transit_{0};
};

// Six items for three takers of two: nobody may see the bag empty.
template <bool fixed>
void test() {
  Bag<fixed> bag(3);
  for (int item = 1; item <= 6; ++item) bag.add(0, item);
  auto take_two = [&](int thread) {
    for (int i = 0; i < 2; ++i) RADDLE_ASSERT(bag.try_take(thread).has_value());
  };
  gambit::Thread one([&] { take_two(1); });
  gambit::Thread two([&] { take_two(2); });
  take_two(0);
}

}  // namespace

const gambit::Test gambit::bag{"bag", "assertion", "stolen items are in no list", test<false>,
                               test<true>};
