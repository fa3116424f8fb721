// SPDX-License-Identifier: Apache-2.0
// Bug: two threads count in a plain variable.
// EXPECT: kind=data-race within=100 message~"on `counter`"
#include <mutex>
#include <thread>

namespace {

int counter = 0;
std::mutex guard;

void count() {
  guard.lock();
  guard.unlock();
  ++counter;
}

}  // namespace

int main() {
  std::thread one(count), two(count);
  one.join();
  two.join();
  return counter > 2;
}
