// SPDX-License-Identifier: Apache-2.0
// A cache under a shared_mutex: looked up shared, filled exclusively after a second look.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

namespace {

std::shared_mutex guard;
std::map<int, std::string> cache;
std::atomic<int> made{0};

std::string look_up(int key) {
  {
    std::shared_lock lock(guard);
    if (auto found = cache.find(key); found != cache.end()) return found->second;
  }
  std::unique_lock lock(guard);
  auto [at, is_new] = cache.try_emplace(key);
  if (is_new) {
    made.fetch_add(1);
    at->second = std::to_string(key);
  }
  return at->second;
}

void work() {
  assert(look_up(1) == "1");
  assert(look_up(2) == "2");
  assert(look_up(1) == "1");
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(made.load() == 2 && cache.size() == 2);
  return 0;
}
