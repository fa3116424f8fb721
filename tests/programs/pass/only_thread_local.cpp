// SPDX-License-Identifier: Apache-2.0
// thread_local objects: one for each thread, built on first use, destroyed in reverse order.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

namespace {

std::atomic<int> built{0};
std::atomic<int> destroyed{0};
thread_local std::string order;

struct Part {
  explicit Part(char part_name) : name(part_name) { built.fetch_add(1); }
  ~Part() {
    order += name;
    destroyed.fetch_add(1);
    if (name == 'a') assert(order == "ba");
  }
  char name;
};

thread_local int plain = 7;

void work(int value) {
  order.clear();
  thread_local Part first('a');
  thread_local Part second('b');
  assert(plain == 7);
  plain = value;
  std::this_thread::yield();
  assert(plain == value && first.name == 'a' && second.name == 'b');
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  assert(plain == 7);
  return built.load() == 4 && destroyed.load() == 4 ? 0 : 1;
}
