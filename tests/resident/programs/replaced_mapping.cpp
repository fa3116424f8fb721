// SPDX-License-Identifier: Apache-2.0
//
// A static array is mapped over with other memory of the same size: shared, or of a file.
#include <fcntl.h>
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(4096) char zero[16 * 4096];
alignas(4096) char filled[16 * 4096] = {5};
void look() {
  for (char each : zero) FRESH(each == 0);
  FRESH(filled[0] == 5 && filled[4096] == 0);
}
void leave(int order) {
  int both = PROT_READ | PROT_WRITE;
  if (order == 12) {
    int kind = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED;
    FRESH(mmap(zero + 4096, 2 * 4096, both, kind, -1, 0) == zero + 4096);
    memset(zero, 1, sizeof zero);
  } else {
    int file = open("/proc/self/exe", O_RDONLY);
    FRESH(mmap(zero, 4096, both, MAP_PRIVATE | MAP_FIXED, file, 0) == zero);
    FRESH(mmap(filled, 4096, both, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == filled);
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
