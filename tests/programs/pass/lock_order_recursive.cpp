// SPDX-License-Identifier: Apache-2.0
// Fixed: the journal first, everywhere; that the tree is locked twice adds nothing.
// SCHEDULES: 200
#include <mutex>
#include <thread>

namespace {

std::recursive_mutex tree;
std::mutex journal;
int nodes = 4;
int lines = 0;

int count() {
  std::lock_guard hold(tree);
  return nodes;
}

void prune() {
  std::lock_guard write(journal);
  std::lock_guard hold(tree);
  if (count() > 2) --nodes;
  ++lines;
}

void audit() {
  std::lock_guard write(journal);
  std::lock_guard hold(tree);
  lines += count() > 0;
}

}  // namespace

int main() {
  std::thread gardener(prune);
  std::thread auditor(audit);
  gardener.join();
  auditor.join();
  return nodes == 3 && lines == 2 ? 0 : 1;
}
