// SPDX-License-Identifier: Apache-2.0
//
// Large blocks that are written and freed, or kept, and come back zero.
// SCHEDULES: 8
#include <malloc.h>
#include <stdlib.h>

#include "fresh.h"

namespace {

char* kept;
void look() {
  FRESH(kept == nullptr);
  char* block = static_cast<char*>(malloc(64 << 20));
  unsigned sum = 0;
  for (int i = 0; i < 64 << 20; i += 4096) sum += block[i];
  FRESH(sum == 0);
  char* zero = static_cast<char*>(calloc(1, 20 << 20));
  for (int i = 0; i < 20 << 20; i += 4096) sum += zero[i];
  FRESH(sum == 0);
  free(zero);
  free(block);
}
void leave(int order) {
  char* block = static_cast<char*>(malloc(64 << 20));
  for (int i = order; i < 64 << 20; i += 40960) block[i] = 1;
  free(block);
  kept = static_cast<char*>(malloc(3 << 20));
  memset(kept, order, 3 << 20);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
