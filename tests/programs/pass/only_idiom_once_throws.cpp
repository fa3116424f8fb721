// SPDX-License-Identifier: Apache-2.0
// call_once and the guard of a static: whoever throws leaves the initialisation to the next one.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

std::once_flag once;
std::atomic<int> tries{0};
int ready = 0;
std::atomic<int> built{0};

void connect() {
  if (tries.fetch_add(1) < 2) throw std::runtime_error("not yet");
  ready = 42;
}

struct Connection {
  Connection() {
    if (built.fetch_add(1) == 0) throw std::runtime_error("not yet either");
    value = ready;
  }
  int value;
};

Connection& connection() {
  static Connection the_only_one;
  return the_only_one;
}

void work() {
  while (true) {
    try {
      std::call_once(once, connect);
      assert(ready == 42 && connection().value == 42);
      return;
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(tries.load() == 3 && built.load() == 2);
  return 0;
}
