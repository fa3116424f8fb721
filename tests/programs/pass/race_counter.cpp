// SPDX-License-Identifier: Apache-2.0
// Fixed: the counter has its lock.
// SCHEDULES: 500
#include <mutex>
#include <thread>

namespace {

int counter = 0;
std::mutex guard;

void count() {
  std::lock_guard hold(guard);
  ++counter;
}

}  // namespace

int main() {
  std::thread one(count), two(count);
  one.join();
  two.join();
  return counter > 2;
}
