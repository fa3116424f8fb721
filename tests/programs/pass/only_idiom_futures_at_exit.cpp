// SPDX-License-Identifier: Apache-2.0
// Futures that are left over at exit: a static one of std::async waits for its thread, one of a
// promise does not, and a deferred one never runs.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>

namespace {

std::atomic<int> ran{0};
struct Check {
  ~Check() { assert(ran.load() == 3); }
} check;  // built first, destroyed last

std::future<int> waits_at_exit;
std::future<int> never_ready;
std::future<int> never_run;
auto* promise = new std::promise<int>;

}  // namespace

int main() {
  never_ready = promise->get_future();
  waits_at_exit = std::async(std::launch::async, [] {
    ran.fetch_add(1);
    return ran.fetch_add(1);
  });
  never_run = std::async(std::launch::deferred, [] { return ran.fetch_add(100); });
  assert(never_run.wait_for(std::chrono::hours(1)) == std::future_status::deferred);
  assert(never_ready.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  auto failing = std::async(std::launch::async, []() -> int {
    ran.fetch_add(1);
    throw std::runtime_error("by design");
  });
  bool caught = false;
  try {
    failing.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught && !failing.valid());
  return 0;
}
