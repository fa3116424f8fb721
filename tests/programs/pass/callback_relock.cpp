// SPDX-License-Identifier: Apache-2.0
// Fixed: the lock is recursive, so the callback may take it again.
#include <mutex>
#include <thread>

namespace {

std::recursive_mutex guard;
bool fired = false;
bool subscribed = false;
int delivered = 0;

void on_event() {
  std::lock_guard lock(guard);
  delivered += 1;
}

void subscribe() {
  std::lock_guard lock(guard);
  subscribed = true;
  if (fired) on_event();
}

void fire() {
  bool deliver = false;
  {
    std::lock_guard lock(guard);
    fired = true;
    deliver = subscribed;
  }
  if (deliver) on_event();
}

}  // namespace

int main() {
  std::thread listener(subscribe);
  std::thread source(fire);
  listener.join();
  source.join();
  return delivered == 1 ? 0 : 1;
}
