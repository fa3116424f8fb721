// SPDX-License-Identifier: Apache-2.0
// Bug: producer and consumers share one condition variable, and notify_one wakes the wrong one.
// EXPECT: kind=deadlock within=500 stack=take
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex guard;
std::condition_variable changed;
bool full = false;

void put() {
  std::unique_lock lock(guard);
  changed.wait(lock, [] { return !full; });
  full = true;
  changed.notify_one();
}

void take() {
  std::unique_lock lock(guard);
  changed.wait(lock, [] { return full; });
  full = false;
  changed.notify_one();
}

void produce() {
  put();
  put();
}

}  // namespace

int main() {
  std::thread producer(produce);
  std::thread first(take);
  std::thread second(take);
  producer.join();
  first.join();
  second.join();
}
