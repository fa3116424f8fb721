// SPDX-License-Identifier: Apache-2.0
// Bug: the writer takes the lock in shared mode, so two writers overlap.
// EXPECT: kind=assertion within=100 message~"version == 2" function=main
#include <cassert>
#include <shared_mutex>
#include <thread>

namespace {

std::shared_mutex guard;
int version = 0;

void update() {
  std::shared_lock lock(guard);
  version = version + 1;
}

}  // namespace

int main() {
  std::thread first(update);
  std::thread second(update);
  first.join();
  second.join();
  assert(version == 2);
}
