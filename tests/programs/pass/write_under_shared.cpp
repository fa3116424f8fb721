// SPDX-License-Identifier: Apache-2.0
// Fixed: writers take the lock exclusively; only the reader shares it.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

std::shared_mutex guard;
int version = 0;

void update() {
  std::unique_lock lock(guard);
  version = version + 1;
}

void check() {
  std::shared_lock lock(guard);
  assert(version >= 0 && version <= 2);
}

}  // namespace

int main() {
  std::thread first(update);
  std::thread second(update);
  std::thread third(check);
  first.join();
  second.join();
  third.join();
  assert(version == 2);
}
