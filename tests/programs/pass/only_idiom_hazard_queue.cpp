// SPDX-License-Identifier: Apache-2.0
// A Michael-Scott queue whose nodes are freed by hazard pointers while others traverse it.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};
constexpr int kThreads = 3;
std::array<std::array<std::atomic<Node*>, 2>, kThreads> hazards{};
std::atomic<Node*> head{new Node};
std::atomic<Node*> tail{head.load()};
std::atomic<int> sum{0};

Node* protect(int me, int slot, const std::atomic<Node*>& from) {
  Node* seen = from.load();
  for (Node* last = nullptr; last != seen; seen = from.load()) {
    hazards[me][slot].store(seen);
    last = seen;
  }
  return seen;
}

bool in_use(const Node* node) {
  for (auto& pair : hazards)
    for (auto& hazard : pair)
      if (hazard.load() == node) return true;
  return false;
}

void push(int me, int value) {
  Node* node = new Node{value, nullptr};
  while (true) {
    Node* last = protect(me, 0, tail);
    Node* next = nullptr;
    if (last->next.compare_exchange_strong(next, node)) {
      tail.compare_exchange_strong(last, node);
      break;
    }
    tail.compare_exchange_strong(last, next);
  }
  hazards[me][0].store(nullptr);
}

bool pop(int me, int& value, std::vector<Node*>& retired) {
  while (true) {
    Node* first = protect(me, 0, head);
    Node* last = tail.load();
    Node* next = protect(me, 1, first->next);
    if (head.load() != first) continue;
    if (next == nullptr) return false;
    if (first == last) {
      tail.compare_exchange_strong(last, next);
      continue;
    }
    value = next->value;
    if (!head.compare_exchange_strong(first, next)) continue;
    retired.push_back(first);
    return true;
  }
}

void consume(int me, int tries) {
  std::vector<Node*> retired;
  for (int value = 0; tries > 0 && pop(me, value, retired); --tries) sum.fetch_add(value);
  for (auto& hazard : hazards[me]) hazard.store(nullptr);
  for (Node* node : retired) {
    while (in_use(node)) std::this_thread::yield();
    delete node;
  }
}

}  // namespace

int main() {
  push(0, 1);
  push(0, 2);
  std::thread first(consume, 1, 2);
  std::thread second(consume, 2, 2);
  push(0, 4);
  first.join();
  second.join();
  consume(0, 3);
  assert(sum.load() == 7);
  delete head.load();
  return 0;
}
