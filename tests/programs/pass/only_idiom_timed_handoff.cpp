// SPDX-License-Identifier: Apache-2.0
// A hand-off with time-outs on both sides: an offer that nobody has taken in time is withdrawn, and
// it is either taken or withdrawn, never both.
// SCHEDULES: 20
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace {

using namespace std::chrono_literals;
std::mutex guard;
std::condition_variable changed;
std::optional<int> offer;
int taken = 0;
int withdrawn = 0;

void give(int value) {
  std::unique_lock lock(guard);
  changed.wait(lock, [] { return !offer; });
  offer = value;
  changed.notify_all();
  if (!changed.wait_for(lock, 2ms, [value] { return offer != value; })) {
    offer.reset();
    withdrawn += value;
  }
  changed.notify_all();
}

void take() {
  std::unique_lock lock(guard);
  auto deadline = std::chrono::steady_clock::now() + 3ms;
  while (!offer)
    if (changed.wait_until(lock, deadline) == std::cv_status::timeout) break;
  if (!offer) return;
  taken += *offer;
  offer.reset();
  changed.notify_all();
}

}  // namespace

int main() {
  std::thread givers[] = {std::thread(give, 1), std::thread(give, 2)};
  std::thread taker(take);
  take();
  for (auto& giver : givers) giver.join();
  taker.join();
  assert(taken + withdrawn == 3 && !offer);
  return 0;
}
