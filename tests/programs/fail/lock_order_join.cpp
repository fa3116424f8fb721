// SPDX-License-Identifier: Apache-2.0
// Bug: set-up and use take two locks in opposite orders, and nothing makes the use wait.
// EXPECT: kind=deadlock within=1 message~"`names`.*`table`" stack=use
#include <mutex>
#include <thread>

namespace {

std::mutex table;
std::mutex names;
int entries = 0;

void set_up() {
  std::lock_guard outer(table);
  std::lock_guard inner(names);
  entries += 2;
}

void use() {
  std::lock_guard outer(names);
  std::lock_guard inner(table);
  entries += 1;
}

}  // namespace

int main() {
  std::thread builder(set_up);
  std::thread user(use);
  builder.join();
  user.join();
  return entries == 3 ? 0 : 1;
}
