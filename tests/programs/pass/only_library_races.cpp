// SPDX-License-Identifier: Apache-2.0
// Races that libstdc++ 12 has with itself are none of the program: the characters that a facet has
// narrowed (every regular expression does that), and the pointer in an atomic shared_ptr.
// SCHEDULES: 50
#include <atomic>
#include <memory>
#include <regex>
#include <thread>

std::atomic<std::shared_ptr<int>> latest;
std::atomic<std::weak_ptr<int>> last_seen;

void work() {
  std::regex pattern("a+[[:digit:]]");
  if (!std::regex_match("aa1", pattern)) std::abort();
  std::shared_ptr<int> seen = latest.load();
  auto next = std::make_shared<int>(*seen + 1);
  while (!latest.compare_exchange_strong(seen, next, std::memory_order_acq_rel,
                                         std::memory_order_relaxed))
    next = std::make_shared<int>(*seen + 1);
  last_seen.store(next);
  if (last_seen.load().expired() && *latest.load() == 1) std::abort();
}

int main() {
  latest.store(std::make_shared<int>(0));
  std::thread a(work), b(work);
  a.join();
  b.join();
  return *latest.load() == 2 ? 0 : 1;
}
