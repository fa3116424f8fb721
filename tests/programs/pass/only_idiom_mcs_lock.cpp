// SPDX-License-Identifier: Apache-2.0
// The lock of Mellor-Crummey and Scott: each waiter spins on a flag of its own, on its stack.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Waiter {
  std::atomic<Waiter*> next{nullptr};
  std::atomic<bool> waits{true};
};
std::atomic<Waiter*> last{nullptr};
int counter = 0;
int inside = 0;

class Guard {
 public:
  Guard() {
    Waiter* before = last.exchange(&me_, std::memory_order_acq_rel);
    if (before == nullptr) return;
    before->next.store(&me_, std::memory_order_release);
    while (me_.waits.load(std::memory_order_acquire)) {
    }
  }
  ~Guard() {
    Waiter* expected = &me_;
    if (me_.next.load(std::memory_order_acquire) == nullptr &&
        last.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel))
      return;
    Waiter* after = me_.next.load(std::memory_order_acquire);
    while (after == nullptr) after = me_.next.load(std::memory_order_acquire);
    after->waits.store(false, std::memory_order_release);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Waiter me_;
};

void work() {
  for (int i = 0; i < 2; ++i) {
    Guard guard;
    assert(inside++ == 0);
    ++counter;
    --inside;
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(counter == 6 && last.load() == nullptr);
  return 0;
}
