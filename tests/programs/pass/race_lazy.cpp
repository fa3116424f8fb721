// SPDX-License-Identifier: Apache-2.0
// Fixed: std::call_once does it.
// SCHEDULES: 500
#include <mutex>
#include <thread>

namespace {

int table[4];
bool made = false;
std::once_flag once;

void make() {
  for (int i = 0; i < 4; ++i) table[i] = i;
  made = true;
}

void use() {
  std::call_once(once, make);
  if (table[3] > 3) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  return !made;
}
