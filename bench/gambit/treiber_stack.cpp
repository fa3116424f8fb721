// SPDX-License-Identifier: Apache-2.0
//
// A stack of nodes that are linked by their numbers, without locks. The bug: a pop() that was held
// up takes a head that was popped and pushed again in the meantime for the old one, and makes a
// node the head that somebody else has (ABA). The fix: the head carries a count of its changes. A
// test of bench/gambit.
#include <array>
#include <atomic>
#include <cstdint>

#include "gambit.h"

namespace {

constexpr int kNodes = 3;

template <bool fixed>
class Stack {
 public:
  Stack() {
    for (int node = kNodes - 1; node >= 0; --node) push(node);
  }

  void push(int node) {
    std::uint32_t head = head_.load();
    do next_[static_cast<std::size_t>(node)].store(top(head));
    while (!head_.compare_exchange_strong(head, changed(head, node)));
  }

  int pop() {
    std::uint32_t head = head_.load();
    while (top(head) >= 0) {
      const int next = next_[static_cast<std::size_t>(top(head))].load();
      const int node = top(head);
      if (head_.compare_exchange_strong(head, changed(head, next))) return node;
    }
    return -1;
  }

 private:
  // The low half is the node's number plus one, the high half counts changes.
  static int top(std::uint32_t head) { return static_cast<int>(head & 0xffff) - 1; }
  static std::uint32_t changed(std::uint32_t head, int node) {
    const std::uint32_t count = fixed ? (head & 0xffff0000u) + 0x10000u : 0;
    return count | static_cast<std::uint32_t>(node + 1);
  }

  std::atomic<std::uint32_t> head_{0};
  std::array<std::atomic<int>, kNodes> next_{};
};

// A pool of three buffers: nobody may get one that another has.
template <bool fixed>
void test() {
  Stack<fixed> stack;
  std::array<std::atomic<int>, kNodes> used{};
  auto take = [&] {
    const int node = stack.pop();
    if (node >= 0) RADDLE_ASSERT(used[static_cast<std::size_t>(node)].exchange(1) == 0);
    return node;
  };
  auto give_back = [&](int node) {
    if (node < 0) return;
    used[static_cast<std::size_t>(node)].store(0);
    stack.push(node);
  };
  auto work = [&] {
    const int first = take();
    const int second = take();
    give_back(first);
    const int third = take();
    give_back(second);
    give_back(third);
  };
  gambit::Thread other(work);
  work();
}

}  // namespace

const gambit::Test gambit::treiber_stack{"treiber_stack", "assertion",
                                         "a head that comes back is taken for the old one (ABA)",
                                         test<false>, test<true>};
