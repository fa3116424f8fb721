// SPDX-License-Identifier: Apache-2.0
//
// A queue lock: each waiter spins on a flag of its own node, which the one before it sets when it
// leaves. The bug: who leaves looks whether somebody is behind it, and then says that the lock is
// free; one that has just queued up behind it waits for ever. The fix: a compare-exchange does
// both. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

struct Node {
  std::atomic<bool> waiting{false};
  std::atomic<Node*> next{nullptr};
};

template <bool fixed>
class QueueLock {
 public:
  void lock(Node* mine) {
    mine->next.store(nullptr);
    mine->waiting.store(true);
    Node* before = last_.exchange(mine);
    if (before == nullptr) return;
    before->next.store(mine);
    while (mine->waiting.load()) std::this_thread::yield();
  }

  void unlock(Node* mine) {
    if (mine->next.load() == nullptr && leave_last(mine)) return;
    while (mine->next.load() == nullptr) std::this_thread::yield();
    mine->next.load()->waiting.store(false);
  }

 private:
  bool leave_last(Node* mine) {
    Node* expected = mine;
    if (fixed) return last_.compare_exchange_strong(expected, nullptr);
    if (last_.load() != mine) return false;
    last_.store(nullptr);
    return true;
  }

  std::atomic<Node*> last_{nullptr};
};

template <bool fixed>
void test() {
  QueueLock<fixed> lock;
  int sum = 0;
  Node nodes[3];
  auto work = [&](Node* mine, int rounds) {
    for (int i = 0; i < rounds; ++i) {
      lock.lock(mine);
      ++sum;
      lock.unlock(mine);
    }
  };
  gambit::Thread one([&] { work(&nodes[1], 2); });
  gambit::Thread two([&] { work(&nodes[2], 1); });
  work(&nodes[0], 1);
  one.join();
  two.join();
  RADDLE_ASSERT(sum == 4);
}

}  // namespace

const gambit::Test gambit::spin_handover{"spin_handover", "livelock",
                                         "a waiter comes between look and leaving", test<false>,
                                         test<true>};
