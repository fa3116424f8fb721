// SPDX-License-Identifier: Apache-2.0
//
// As much is unmapped as is mapped elsewhere: the size of the process is the same.
#include <sys/mman.h>

#include "fresh.h"

namespace {

char* early;
__attribute__((constructor)) void before() {
  void* place = mmap(nullptr, 64 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  early = static_cast<char*>(place);
  memset(early, 3, 64 << 10);
}
char* late;
void look() {
  FRESH(late == nullptr);
  for (int i = 0; i < 64 << 10; ++i) FRESH(early[i] == 3);
}
void leave(int order) {
  if (order == 12) {
    void* hint = early + (1 << 30);
    void* place = mmap(hint, 64 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    late = static_cast<char*>(place);
    munmap(early, 64 << 10);
    memset(late, 4, 64 << 10);
  } else {
    void* place =
        mremap(early, 64 << 10, 64 << 10, MREMAP_MAYMOVE | MREMAP_FIXED, early + (2 << 20));
    late = static_cast<char*>(place);
    FRESH(late != MAP_FAILED);
    late[100] = 4;
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
