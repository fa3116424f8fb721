// SPDX-License-Identifier: Apache-2.0
// A sleeping barber: customers leave when the chairs are taken, wait an hour at most for the
// barber, who in turn looks now and then whether the shop has closed.
// SCHEDULES: 20
#include <atomic>
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

namespace {

using namespace std::chrono_literals;
std::counting_semaphore<1> chairs{1};
std::counting_semaphore<3> customers{0};
std::counting_semaphore<3> cut{0};
std::atomic<bool> closed{false};
std::atomic<int> served{0};
std::atomic<int> sent_away{0};

void barber() {
  while (true) {
    if (!customers.try_acquire_for(10ms)) {
      if (closed.load()) return;
      continue;
    }
    served.fetch_add(1);
    cut.release();
  }
}

void customer() {
  if (!chairs.try_acquire()) {
    sent_away.fetch_add(1);
    return;
  }
  customers.release();
  assert(cut.try_acquire_for(1h));
  chairs.release();
}

}  // namespace

int main() {
  std::thread shop(barber);
  std::thread first(customer);
  std::thread second(customer);
  customer();
  first.join();
  second.join();
  closed.store(true);
  shop.join();
  assert(served.load() + sent_away.load() == 3 && served.load() >= 1);
  return 0;
}
