// SPDX-License-Identifier: Apache-2.0
// Fixed: the node is complete before it is published.
#include <atomic>
#include <thread>

namespace {

struct Node {
  int* data = nullptr;
};

int payload = 42;
Node node;
std::atomic<Node*> shared{nullptr};
std::atomic<int> seen{0};

void publish() {
  node.data = &payload;
  shared.store(&node);
}

void read_node() {
  const Node* current = shared.load();
  if (current != nullptr) seen.store(*current->data);
}

}  // namespace

int main() {
  std::thread writer(publish);
  std::thread reader(read_node);
  writer.join();
  reader.join();
  return seen.load() == 0 || seen.load() == 42 ? 0 : 1;
}
