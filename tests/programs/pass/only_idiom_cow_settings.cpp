// SPDX-License-Identifier: Apache-2.0
// Settings behind std::atomic<std::shared_ptr>: readers keep the version they have, writers copy,
// change and exchange; weak pointers tell when the last reader has let go.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <thread>

namespace {

using Settings = std::map<int, int>;
std::atomic<std::shared_ptr<const Settings>> current{std::make_shared<const Settings>()};

void set(int key, int value) {
  auto seen = current.load();
  while (true) {
    auto changed = std::make_shared<Settings>(*seen);
    (*changed)[key] = value;
    (*changed)[-key] = -value;
    if (current.compare_exchange_strong(seen, changed)) return;
  }
}

void read() {
  auto mine = current.load();
  int sum = 0;
  for (auto& [key, value] : *mine) sum += value;
  assert(sum == 0 && mine->size() % 2 == 0);
}

}  // namespace

int main() {
  std::weak_ptr<const Settings> oldest = current.load();
  std::thread first(set, 1, 10);
  std::thread second(set, 2, 20);
  read();
  first.join();
  second.join();
  read();
  assert(oldest.expired() && current.load()->size() == 4 && current.load()->at(-2) == -20);
  return 0;
}
