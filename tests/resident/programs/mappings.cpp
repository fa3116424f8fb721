// SPDX-License-Identifier: Apache-2.0
//
// Anonymous memory that a run maps and does not unmap, also moved and grown.
#include <sys/mman.h>

#include "fresh.h"

namespace {

char* kept;
char* map(size_t size) {
  void* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<char*>(place);
}
void look() {
  FRESH(kept == nullptr);
  char* block = map(1 << 20);
  FRESH(block != nullptr);
  for (int i = 0; i < 1 << 20; i += 4096) FRESH(block[i] == 0);
  memset(block, 1, 1 << 20);
  printf("%p ", static_cast<void*>(block));
  munmap(block, 1 << 20);
}
void leave(int order) {
  kept = map(order << 14);
  memset(kept, 1, order << 14);
  kept = static_cast<char*>(mremap(kept, order << 14, order << 15, MREMAP_MAYMOVE));
  FRESH(kept != MAP_FAILED);
  munmap(kept, order << 13);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
