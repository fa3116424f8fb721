// SPDX-License-Identifier: Apache-2.0
// Bug: two unions at once make two sets each other's parent; the recursive search never ends.
// EXPECT: kind=stack-overflow within=200 function=root_of
#include <atomic>
#include <thread>

namespace {

std::atomic<int> parent[2] = {0, 1};

void unite(int child, int root) {
  if (parent[root].load() == root) parent[child].store(root);
}

// Works on a copy that no other thread sees. The padding keeps the number of frames small.
int root_of(const int* parents, int node) {
  volatile char padding[2048];
  padding[0] = static_cast<char>(node);
  const int root = parents[node] == node ? node : root_of(parents, parents[node]);
  return padding[0] == node ? root : -1;
}

}  // namespace

int main() {
  std::thread first(unite, 0, 1);
  std::thread second(unite, 1, 0);
  first.join();
  second.join();
  const int parents[2] = {parent[0].load(), parent[1].load()};
  return root_of(parents, 0) == root_of(parents, 1) ? 0 : 1;
}
