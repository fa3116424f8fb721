// SPDX-License-Identifier: Apache-2.0
// An intrusive mailbox of an actor: senders exchange the head, the only receiver follows the links
// and waits where a sender is between exchange and link; whoever finds the actor idle, runs it.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Letter {
  std::atomic<Letter*> next{nullptr};
  int amount = 0;
};

class Account {
 public:
  void send(Letter& letter) {
    Letter* before = head_.exchange(&letter, std::memory_order_acq_rel);
    before->next.store(&letter, std::memory_order_release);
    if (pending_.fetch_add(1, std::memory_order_acq_rel) == 0) run();
  }
  int balance() const { return balance_; }

 private:
  void run() {
    int handled = 0;
    do {
      handled = 0;
      for (int todo = pending_.load(std::memory_order_acquire); handled < todo; ++handled) {
        Letter* next = last_->next.load(std::memory_order_acquire);
        while (next == nullptr) next = last_->next.load(std::memory_order_acquire);
        last_ = next;
        balance_ += next->amount;
      }
    } while (pending_.fetch_sub(handled, std::memory_order_acq_rel) != handled);
  }

  Letter stub_;
  std::atomic<Letter*> head_{&stub_};
  Letter* last_ = &stub_;
  std::atomic<int> pending_{0};
  int balance_ = 0;
};

Account account;
Letter letters[6];

void work(int from) {
  for (int i = from; i < from + 2; ++i) {
    letters[i].amount = 1 << i;
    account.send(letters[i]);
  }
}

}  // namespace

int main() {
  std::thread first(work, 2);
  std::thread second(work, 4);
  work(0);
  first.join();
  second.join();
  assert(account.balance() == 63);
  return 0;
}
