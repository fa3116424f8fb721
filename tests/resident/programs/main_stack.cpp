// SPDX-License-Identifier: Apache-2.0
//
// Below the first stack nothing was ever written; a run goes deep.
#include <alloca.h>
#include <stdlib.h>

#include "fresh.h"

namespace {

__attribute__((noinline)) long sum_of_stack(size_t size) {
  volatile char* room = static_cast<char*>(alloca(size));
  long sum = 0;
  for (size_t i = 0; i < size - (100 << 10); i += 512) sum += room[i] != 0;
  return sum;
}
__attribute__((noinline)) void fill_stack(size_t size) {
  char* room = static_cast<char*>(alloca(size));
  memset(room, 0xcc, size);
  asm volatile("" ::"r"(room) : "memory");
}
void look() { FRESH(sum_of_stack(2 << 20) == 0); }
void leave(int order) { fill_stack(order == 12 ? 3 << 20 : 1 << 20); }

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
