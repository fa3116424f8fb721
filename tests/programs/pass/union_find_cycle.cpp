// SPDX-License-Identifier: Apache-2.0
// Fixed: looking for the root and hooking onto it is one critical section.
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
int parent[2] = {0, 1};

void unite(int child, int root) {
  std::lock_guard lock(guard);
  if (parent[root] == root) parent[child] = root;
}

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
  return root_of(parent, 0) == root_of(parent, 1) ? 0 : 1;
}
