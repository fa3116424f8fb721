// SPDX-License-Identifier: Apache-2.0
// Fixed: everybody is notified, and those who need not go on wait again.
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
  changed.notify_all();
}

void take() {
  std::unique_lock lock(guard);
  changed.wait(lock, [] { return full; });
  full = false;
  changed.notify_all();
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
