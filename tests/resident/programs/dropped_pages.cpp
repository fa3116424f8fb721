// SPDX-License-Identifier: Apache-2.0
//
// Pages that were written before main are given back by madvise: they are zero, or as in the file.
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(4096) char zero[32 * 4096];
alignas(4096) char filled[32 * 4096] = {5};
char* early;
__attribute__((constructor)) void before() {
  memset(zero, 7, sizeof zero);
  memset(filled, 8, sizeof filled);
  void* place =
      mmap(nullptr, sizeof zero, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  early = static_cast<char*>(place);
  memset(early, 9, sizeof zero);
}
void look() {
  for (char each : zero) FRESH(each == 7);
  for (char each : filled) FRESH(each == 8);
  for (size_t i = 0; i < sizeof zero; ++i) FRESH(early[i] == 9);
}
void leave(int order) {
  FRESH(madvise(zero + 4096 * (order % 7), 3 * 4096, MADV_DONTNEED) == 0);
  FRESH(madvise(filled + 4096 * (order % 5), 2 * 4096, MADV_DONTNEED) == 0);
  FRESH(madvise(early, 4096 * order, MADV_DONTNEED) == 0);
  volatile char seen = zero[4096 * (order % 7)];
  FRESH(seen == 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
