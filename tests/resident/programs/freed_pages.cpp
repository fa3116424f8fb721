// SPDX-License-Identifier: Apache-2.0
//
// Pages are given back lazily, marked for wiping or for not being inherited, put into huge pages.
// SCHEDULES: 16
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(1 << 21) char zero[4 << 20];
char* early;
__attribute__((constructor)) void before() {
  int both = PROT_READ | PROT_WRITE;
  early = static_cast<char*>(mmap(nullptr, 64 << 10, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  memset(early, 9, 64 << 10);
}
void look() {
  for (size_t i = 0; i < sizeof zero; i += 512) FRESH(zero[i] == 0);
  for (int i = 0; i < 64 << 10; ++i) FRESH(early[i] == 9);
}
void leave(int order) {
  madvise(zero, sizeof zero, MADV_HUGEPAGE);
  for (size_t i = 0; i < sizeof zero; i += 4096 * order) zero[i] = 1;
  madvise(early, 16 << 10, MADV_FREE);
  madvise(early + (16 << 10), 16 << 10, MADV_WIPEONFORK);
  if (order == 12) madvise(early + (32 << 10), 16 << 10, MADV_DONTFORK);
  madvise(early + (48 << 10), 16 << 10, MADV_MERGEABLE);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
