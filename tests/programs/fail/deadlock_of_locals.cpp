// SPDX-License-Identifier: Apache-2.0
// Bug: two threads take two locks in opposite orders, members of a local variable, whose name they
// are called by.
// EXPECT: kind=deadlock within=100 message~"waits for `stripes.1..lock`"
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
  std::thread back([&] { move(stripes[1], stripes[0]); });
  there.join();
  back.join();
  return stripes[0].sum + stripes[1].sum;
}

int main() { return move_around(); }
