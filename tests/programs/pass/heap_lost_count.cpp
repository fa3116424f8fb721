// SPDX-License-Identifier: Apache-2.0
// Fixed: the count is atomic.
// SCHEDULES: 500
#include <atomic>
#include <thread>

namespace {

struct Object {
  std::atomic<int> count{1};
  int value = 3;
};
Object* object = nullptr;

void share() { ++object->count; }

void drop() {
  if (--object->count == 0) delete object;
}

void hold() {
  share();
  if (object->value != 3) __builtin_trap();
  drop();
}

}  // namespace

int main() {
  object = new Object;
  std::thread one(hold), two(hold);
  one.join();
  two.join();
  if (object->value == 3) drop();
  return 0;
}
