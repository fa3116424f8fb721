// SPDX-License-Identifier: Apache-2.0
// Reclamation by epochs: what was removed two epochs ago is freed; a pinned thread that lags
// behind keeps the epoch from advancing.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

struct Node {
  int value;
  Node* next;
};
constexpr int kThreads = 3;
constexpr unsigned kIdle = ~0U;
std::atomic<unsigned> epoch{2};
std::array<std::atomic<unsigned>, kThreads> pinned{kIdle, kIdle, kIdle};
std::atomic<Node*> top{nullptr};
std::atomic<int> sum{0};

struct Pin {
  explicit Pin(int who) : me(who) {
    while (pinned[me].load() != epoch.load()) pinned[me].store(epoch.load());
  }
  ~Pin() { pinned[me].store(kIdle); }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  int me;
};

void try_advance() {
  unsigned now = epoch.load();
  for (auto& other : pinned) {
    unsigned theirs = other.load();
    if (theirs != kIdle && theirs != now) return;
  }
  epoch.compare_exchange_strong(now, now + 1);
}

void work(int me) {
  std::vector<std::pair<unsigned, Node*>> bag;
  for (int i = 0; i < 2; ++i) {
    Pin pin(me);
    Node* seen = top.load();
    while (seen != nullptr && !top.compare_exchange_weak(seen, seen->next)) {
    }
    if (seen == nullptr) continue;
    sum.fetch_add(seen->value);
    bag.emplace_back(epoch.load(), seen);
  }
  while (!bag.empty()) {
    try_advance();
    std::erase_if(bag, [](auto& entry) {
      return entry.first + 2 <= epoch.load() && (delete entry.second, true);
    });
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 4; ++i) top.store(new Node{1 << i, top.load()});
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  assert(sum.load() == 15 && top.load() == nullptr);
  return 0;
}
