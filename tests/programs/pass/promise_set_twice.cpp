// SPDX-License-Identifier: Apache-2.0
// Fixed: checking and claiming the promise is one exchange.
#include <atomic>
#include <future>
#include <thread>

namespace {

std::promise<int> promised;
std::atomic<bool> answered{false};

void answer(int value) {
  if (answered.exchange(true)) return;
  promised.set_value(value);
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
