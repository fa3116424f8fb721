// SPDX-License-Identifier: Apache-2.0
// Bug: an exchange locks both slots one after the other, in the order of its arguments.
// EXPECT: kind=deadlock within=1 stack=exchange
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
  std::lock_guard first(a.guard);
  std::lock_guard second(b.guard);
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
