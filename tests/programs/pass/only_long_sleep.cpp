// SPDX-License-Identifier: Apache-2.0
// Sleeping for 30 seconds costs nothing: time is virtual, and the clocks agree that it passed.
// UNCONTROLLED: skip
#include <cassert>
#include <chrono>
#include <ctime>
#include <thread>

namespace {

using namespace std::chrono_literals;

void rest() { std::this_thread::sleep_for(30s); }

}  // namespace

int main() {
  const auto start = std::chrono::steady_clock::now();
  const std::time_t wall_start = std::time(nullptr);
  std::thread first(rest);
  std::thread second(rest);
  first.join();
  second.join();
  const auto passed = std::chrono::steady_clock::now() - start;
  assert(passed >= 30s && passed < 40s);
  const std::time_t wall_passed = std::time(nullptr) - wall_start;
  assert(wall_passed >= 29 && wall_passed <= 40);
}
