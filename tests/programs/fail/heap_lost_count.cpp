// SPDX-License-Identifier: Apache-2.0
// Bug: a plain reference count loses an update, so that the object dies too early.
// EXPECT: kind=use-after-free within=100 message~"which is freed"
#include <atomic>
#include <thread>

namespace {

struct Object {
  std::atomic<int> count{1};
  int value = 3;
};
Object* object = nullptr;

void share() { object->count = object->count + 1; }

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
