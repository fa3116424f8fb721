// SPDX-License-Identifier: Apache-2.0
//
// What malloc gives is the same in every run: addresses, contents, large and small blocks.
// SCHEDULES: 16
#include <malloc.h>
#include <stdint.h>

#include "fresh.h"

namespace {

void* kept[200];
void look() {
  FRESH(kept[0] == nullptr);
  unsigned long sum = 0;
  for (int i = 0; i < 50; ++i) {
    size_t size = 16ul << (i % 14);
    char* block = static_cast<char*>(malloc(size));
    for (size_t at = 0; at < size; ++at) sum += block[at] != 0;
    sum = sum * 31 + reinterpret_cast<uintptr_t>(block);
    memset(block, 0xee, size);
    if (i % 3 == 0) free(block);
  }
  printf("%lx ", sum);
}
void leave(int order) {
  for (int i = 0; i < 200; ++i) {
    kept[i] = malloc(order * i + 1);
    memset(kept[i], order, order * i + 1);
  }
  for (int i = 0; i < 200; i += order == 12 ? 2 : 3) free(kept[i]);
  kept[0] = realloc(kept[1], 500000);
  malloc_trim(0);
  mallopt(M_PERTURB, 5);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
