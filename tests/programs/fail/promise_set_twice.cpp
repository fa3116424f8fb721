// SPDX-License-Identifier: Apache-2.0
// Bug: two workers check that the promise is free and both set it; the second one throws.
// EXPECT: kind=exception within=100 message~"future_error|Promise already satisfied" stack=answer
#include <atomic>
#include <future>
#include <thread>

namespace {

std::promise<int> promised;
std::atomic<bool> answered{false};

void answer(int value) {
  if (answered.load()) return;
  promised.set_value(value);
  answered.store(true);
}

}  // namespace

int main() {
  std::future<int> result = promised.get_future();
  std::thread first(answer, 1);
  std::thread second(answer, 2);
  first.join();
  second.join();
  return result.get() > 0 ? 0 : 1;
}
