// SPDX-License-Identifier: Apache-2.0
// Bug: "is it empty?" and "pop" are two critical sections, so the last item is popped twice.
// EXPECT: kind=exception within=100 message~"out_of_range|range_check" stack=pop
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex guard;
std::vector<int> items = {7};

bool empty() {
  std::lock_guard lock(guard);
  return items.empty();
}

int pop() {
  std::lock_guard lock(guard);
  const int item = items.at(0);
  items.erase(items.begin());
  return item;
}

void drain() {
  while (!empty()) pop();
}

}  // namespace

int main() {
  std::thread first(drain);
  std::thread second(drain);
  first.join();
  second.join();
}
