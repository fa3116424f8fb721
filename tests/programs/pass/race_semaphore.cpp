// SPDX-License-Identifier: Apache-2.0
// Fixed: the slot is filled first.
// SCHEDULES: 500
#include <semaphore.h>

#include <thread>

namespace {

sem_t filled;
int slot = 0;

void first() {
  slot = 4;
  sem_post(&filled);
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
