// SPDX-License-Identifier: Apache-2.0
// Bug: the node is published before its data pointer is set; a reader follows a null pointer.
// EXPECT: kind=crash within=100 function=read_node
#include <atomic>
#include <thread>

namespace {

struct Node {
  std::atomic<int*> data{nullptr};
};

int payload = 42;
Node node;
std::atomic<Node*> shared{nullptr};
std::atomic<int> seen{0};

void publish() {
  shared.store(&node);
  node.data.store(&payload);
}

void read_node() {
  Node* current = shared.load();
  if (current != nullptr) seen.store(*current->data.load());
}

}  // namespace

int main() {
  std::thread writer(publish);
  std::thread reader(read_node);
  writer.join();
  reader.join();
  return seen.load() == 0 || seen.load() == 42 ? 0 : 1;
}
