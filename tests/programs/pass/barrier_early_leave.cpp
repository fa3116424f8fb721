// SPDX-License-Identifier: Apache-2.0
// Fixed: a cancelled worker drops out of the barrier.
#include <atomic>
#include <barrier>
#include <thread>

namespace {

std::barrier<> phase{2};
std::atomic<bool> cancelled{false};

void stay() {
  phase.arrive_and_wait();
  phase.arrive_and_wait();
}

void maybe_leave() {
  phase.arrive_and_wait();
  if (cancelled.load()) {
    phase.arrive_and_drop();
    return;
  }
  phase.arrive_and_wait();
}

void cancel() { cancelled.store(true); }

}  // namespace

int main() {
  std::thread first(stay);
  std::thread second(maybe_leave);
  std::thread third(cancel);
  first.join();
  second.join();
  third.join();
}
