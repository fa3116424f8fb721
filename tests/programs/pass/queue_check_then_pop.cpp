// SPDX-License-Identifier: Apache-2.0
// Fixed: the check and the pop are one critical section.
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

std::mutex guard;
std::vector<int> items = {7};

std::optional<int> try_pop() {
  std::lock_guard lock(guard);
  if (items.empty()) return std::nullopt;
  const int item = items.at(0);
  items.erase(items.begin());
  return item;
}

void drain() {
  while (try_pop()) {
  }
}

}  // namespace

int main() {
  std::thread first(drain);
  std::thread second(drain);
  first.join();
  second.join();
}
