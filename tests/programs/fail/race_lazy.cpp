// SPDX-License-Identifier: Apache-2.0
// Bug: lazy initialisation with a plain flag.
// EXPECT: kind=data-race within=100 message~"on `table|on `made`"
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
  if (!made) make();
  static_cast<void>(once);
  if (table[3] > 3) __builtin_trap();
}

}  // namespace

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  return !made;
}
