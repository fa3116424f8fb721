// SPDX-License-Identifier: Apache-2.0
// A start gate by shared_future, results by promises, and a promise that is broken when its owner
// gives up.
// SCHEDULES: 20
#include <cassert>
#include <future>
#include <thread>
#include <vector>

namespace {

int run(const std::shared_future<int>& gate, int me) { return gate.get() + me; }

}  // namespace

int main() {
  std::promise<int> start;
  std::shared_future<int> gate = start.get_future().share();
  std::vector<std::future<int>> results;
  for (int i = 1; i <= 2; ++i) results.push_back(std::async(std::launch::async, run, gate, i));
  std::future<void> abandoned;
  std::thread gives_up([&abandoned, gate] {
    std::promise<void> promise;
    abandoned = promise.get_future();
    gate.wait();
  });
  start.set_value(10);
  assert(results[0].get() + results[1].get() == 23);
  gives_up.join();
  bool broken = false;
  try {
    abandoned.get();
  } catch (const std::future_error& error) {
    broken = error.code() == std::future_errc::broken_promise;
  }
  assert(broken);
  return 0;
}
