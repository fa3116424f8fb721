// SPDX-License-Identifier: Apache-2.0
// Both take the locks of the local variable in the same order.
#include <mutex>
#include <thread>

struct Stripe {
  std::mutex lock;
  int sum = 0;
};

static void move(Stripe& from, Stripe& to) {
  std::lock_guard<std::mutex> first(from.lock);
  std::lock_guard<std::mutex> second(to.lock);
  --from.sum;
  ++to.sum;
}

static int move_around() {
  Stripe stripes[2];
  std::thread there([&] { move(stripes[0], stripes[1]); });
  std::thread back([&] { move(stripes[0], stripes[1]); });
  there.join();
  back.join();
  return stripes[0].sum + stripes[1].sum;
}

int main() { return move_around(); }
