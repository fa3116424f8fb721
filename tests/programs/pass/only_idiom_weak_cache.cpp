// SPDX-License-Identifier: Apache-2.0
// A cache of weak pointers: an object lives as long as somebody uses it, and its deleter takes it
// out of the cache unless a new one has taken its place.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Page : std::enable_shared_from_this<Page> {
  explicit Page(int its_number) : number(its_number) {}
  int number;
};
std::mutex guard;
std::map<int, std::weak_ptr<Page>> cache;
std::atomic<int> alive{0};

void drop(Page* page) {
  {
    std::lock_guard lock(guard);
    auto found = cache.find(page->number);
    if (found != cache.end() && found->second.expired()) cache.erase(found);
  }
  delete page;
  alive.fetch_sub(1);
}

std::shared_ptr<Page> get(int number) {
  std::lock_guard lock(guard);
  auto& entry = cache[number];
  if (auto page = entry.lock()) return page;
  alive.fetch_add(1);
  std::shared_ptr<Page> page(new Page(number), drop);
  entry = page;
  return page;
}

void work() {
  auto page = get(1);
  assert(page->number == 1 && page->shared_from_this() == page);
  auto other = get(2);
  page.reset();
  assert(other->number == 2 && alive.load() >= 1);
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(alive.load() == 0 && cache.empty());
  return 0;
}
