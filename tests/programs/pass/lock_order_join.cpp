// SPDX-License-Identifier: Apache-2.0
// Fixed: the use begins when the set-up has been joined, so the two never meet.
// SCHEDULES: 200
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
  builder.join();
  std::thread user(use);
  user.join();
  return entries == 3 ? 0 : 1;
}
