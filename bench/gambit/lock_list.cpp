// SPDX-License-Identifier: Apache-2.0
//
// A sorted list with a lock in every node: neighbours are found without locks, and locked then. The
// bug: what was found is not looked at again under the locks, so a node can be put behind one that
// has just been taken out. The fix: neither is taken out and they are still neighbours. A test of
// bench/gambit.
#include <atomic>
#include <deque>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class LockList {
 public:
  LockList() {
    head_ = make(0);
    head_->next.store(make(1000));
  }

  void insert(int key) {
    for (;;) {
      auto [before, after] = find(key);
      std::lock_guard<std::mutex> hold_before(before->lock);
      std::lock_guard<std::mutex> hold_after(after->lock);
      if (fixed && !neighbours(before, after)) continue;
      Node* node = make(key);
      node->next.store(after);
      before->next.store(node);
      return;
    }
  }

  void remove(int key) {
    for (;;) {
      auto [before, node] = find(key);
      if (node->key != key) return;
      std::lock_guard<std::mutex> hold_before(before->lock);
      std::lock_guard<std::mutex> hold_node(node->lock);
      if (!neighbours(before, node)) continue;
      node->removed.store(true);
      before->next.store(node->next.load());
      return;
    }
  }

  bool contains(int key) { return find(key).second->key == key; }

 private:
  struct Node {
    explicit Node(int its_key) : key(its_key) {}
    const int key;
    std::mutex lock;
    std::atomic<bool> removed{false};
    std::atomic<Node*> next{nullptr};
  };

  static bool neighbours(Node* before, Node* after) {
    return !before->removed.load() && !after->removed.load() && before->next.load() == after;
  }

  std::pair<Node*, Node*> find(int key) {
    Node* before = head_;
    Node* after = before->next.load();
    while (after->key < key) {
      before = after;
      after = before->next.load();
    }
    return {before, after};
  }

  // Nodes live as long as the list.
  Node* make(int key) {
    std::lock_guard<std::mutex> hold(nodes_lock_);
    return &nodes_.emplace_back(key);
  }

  std::mutex nodes_lock_;
  std::deque<Node> nodes_;
  Node* head_;
};

template <bool fixed>
void test() {
  LockList<fixed> list;
  list.insert(10);
  list.insert(20);
  gambit::Thread remover([&] {
    list.remove(20);
    list.remove(10);
  });
  list.insert(15);
  list.insert(30);
  remover.join();
  RADDLE_ASSERT(list.contains(15) && list.contains(30));
}

}  // namespace

const gambit::Test gambit::lock_list{
    "lock_list", "assertion", "inserted behind a node that was taken out", test<false>, test<true>};
