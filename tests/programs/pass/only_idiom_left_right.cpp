// SPDX-License-Identifier: Apache-2.0
// Left-right: two copies of the data; readers never wait, the writer changes the copy that nobody
// reads, sends the readers there, and changes the other one.
// SCHEDULES: 20
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::array<std::vector<int>, 2> copies;
std::atomic<int> shown{0};
std::atomic<int> counted_in{0};
std::array<std::atomic<int>, 2> readers{};
std::mutex writers;

std::size_t size() {
  int mine = counted_in.load();
  readers[mine].fetch_add(1);
  std::size_t result = copies[shown.load()].size();
  readers[mine].fetch_sub(1);
  return result;
}

void wait_until_empty(int side) {
  while (readers[side].load() != 0) std::this_thread::yield();
}

void push(int value) {
  std::lock_guard lock(writers);
  int old = shown.load();
  copies[1 - old].push_back(value);
  shown.store(1 - old);
  int side = counted_in.load();
  wait_until_empty(1 - side);
  counted_in.store(1 - side);
  wait_until_empty(side);
  copies[old].push_back(value);
}

}  // namespace

int main() {
  std::thread first([] { push(1); });
  std::thread second([] { push(2); });
  std::thread reader([] {
    std::size_t before = size();
    assert(before <= size());
  });
  first.join();
  second.join();
  reader.join();
  assert(size() == 2 && copies[0] == copies[1]);
  return 0;
}
