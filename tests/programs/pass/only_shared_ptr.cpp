// SPDX-License-Identifier: Apache-2.0
// shared_ptr counts are atomic: copies made by several threads are all counted and given back.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {

std::atomic<int> destroyed{0};

struct Payload {
  int value = 42;
  ~Payload() { destroyed.fetch_add(1); }
};

void use(std::shared_ptr<Payload> mine) {
  std::shared_ptr<Payload> copy = mine;
  std::weak_ptr<Payload> weak = copy;
  assert(copy->value == 42 && mine.use_count() >= 2);
  assert(weak.lock() != nullptr);
}

}  // namespace

int main() {
  auto payload = std::make_shared<Payload>();
  std::thread first(use, payload);
  std::thread second(use, payload);
  assert(payload.use_count() >= 1 && payload.use_count() <= 9);
  first.join();
  second.join();
  assert(payload.use_count() == 1 && destroyed.load() == 0);
  payload.reset();
  return destroyed.load() == 1 ? 0 : 1;
}
