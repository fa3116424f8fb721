// SPDX-License-Identifier: Apache-2.0
//
// A list of observers that are called one after the other, without the lock so that they may
// unsubscribe themselves. The bug: the one that is being called can be removed and freed by another
// thread, and the way on leads through it. The fix: it is pinned meanwhile. A test of bench/gambit.
#include <atomic>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class ObserverList {
 public:
  ~ObserverList() {
    while (first_ != nullptr) {
      Node* next = first_->next;
      delete first_;
      first_ = next;
    }
  }

  void subscribe(int id) {
    std::lock_guard<std::mutex> hold(lock_);
    first_ = new Node{id, 0, false, first_};
  }

  void unsubscribe(int id) {
    std::lock_guard<std::mutex> hold(lock_);
    for (Node** link = &first_; *link != nullptr; link = &(*link)->next) {
      Node* node = *link;
      if (node->id != id || node->removed) continue;
      node->removed = true;
      if (fixed && node->pins > 0) return;  // whoever pins it removes it
      *link = node->next;
      delete node;
      return;
    }
  }

  template <class Call>
  void notify(Call&& call) {
    std::unique_lock<std::mutex> hold(lock_);
    Node* node = first_;
    while (node != nullptr) {
      const int id = node->id;
      ++node->pins;
      hold.unlock();
      call(id);
      hold.lock();
      Node* next = node->next;
      if (--node->pins == 0 && node->removed && fixed) unlink(node);
      node = next;
    }
  }

 private:
  struct Node {
    int id;
    int pins;
    bool removed;
    Node* next;
  };

  void unlink(Node* gone) {
    for (Node** link = &first_; *link != nullptr; link = &(*link)->next) {
      if (*link != gone) continue;
      *link = gone->next;
      delete gone;
      return;
    }
  }

  std::mutex lock_;
  Node* first_ = nullptr;
};

template <bool fixed>
void test() {
  ObserverList<fixed> list;
  for (int id = 1; id <= 4; ++id) list.subscribe(id);
  std::atomic<int> calls{0};
  gambit::Thread leaver([&] { list.unsubscribe(2); });
  gambit::Thread caller([&] { list.notify([&](int) { calls.fetch_add(1); }); });
  list.notify([&](int) { calls.fetch_add(1); });
  caller.join();
  leaver.join();
  RADDLE_ASSERT(calls.load() >= 6);
}

}  // namespace

const gambit::Test gambit::observer_list{"observer_list", "use-after-free",
                                         "the iterator's node is removed", test<false>, test<true>};
