// SPDX-License-Identifier: Apache-2.0
// Bug: the slot is filled after it was announced.
// EXPECT: kind=data-race within=100 message~"on `slot`"
// MATRIX: skip
#include <semaphore.h>

#include <thread>

namespace {

sem_t filled;
int slot = 0;

void first() {
  sem_post(&filled);
  slot = 4;
}

void second() {
  sem_wait(&filled);
  if (slot > 4) __builtin_trap();
}

}  // namespace

int main() {
  sem_init(&filled, 0, 0);
  std::thread one(first), two(second);
  one.join();
  two.join();
  sem_destroy(&filled);
  return 0;
}
