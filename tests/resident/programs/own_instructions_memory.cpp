// SPDX-License-Identifier: Apache-2.0
//
// Memory mapped, unmapped and protected by the program's own instructions.
// FORKED: unseen
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(4096) char room[8 * 4096];
alignas(4096) char filled[8 * 4096] = {5};
long call(long number, long a, long b, long c, long d) {
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = -1;
  register long sixth asm("r9") = 0;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}
void look() {
  for (char& each : room) {
    FRESH(each == 0);
    each = 1;
    each = 0;
  }
  FRESH(filled[0] == 5);
}
void leave(int order) {
  long page = reinterpret_cast<long>(room);
  memset(filled, 1, sizeof filled);
  if (order == 12) {
    call(SYS_mprotect, page, 4096, PROT_READ, 0);
    call(SYS_madvise, reinterpret_cast<long>(filled), 4096, MADV_DONTNEED, 0);
  } else {
    int kind = MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS;
    call(SYS_mmap, page + 4096, 4096, PROT_READ | PROT_WRITE, kind);
    room[4096] = 9;
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
