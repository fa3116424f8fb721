// SPDX-License-Identifier: Apache-2.0
// Fixed: std::scoped_lock takes both without ever waiting for one while it holds the other.
// SCHEDULES: 200
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace {

struct Slot {
  std::mutex guard;
  int value = 0;
};

void exchange(Slot& a, Slot& b) {
  std::scoped_lock both(a.guard, b.guard);
  std::swap(a.value, b.value);
}

}  // namespace

int main() {
  auto left = std::make_unique<Slot>();
  auto right = std::make_unique<Slot>();
  left->value = 1;
  std::thread there([&] { exchange(*left, *right); });
  std::thread back([&] { exchange(*right, *left); });
  there.join();
  back.join();
  return left->value == 1 ? 0 : 1;
}
