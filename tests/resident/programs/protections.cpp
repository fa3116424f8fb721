// SPDX-License-Identifier: Apache-2.0
//
// Static memory is made read-only or inaccessible, and stays so or not.
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(4096) char room[8 * 4096];
void look() {
  for (char& each : room) {
    FRESH(each == 0);
    each = 1;
    each = 0;
  }
}
void leave(int order) {
  room[5 * 4096] = 1;
  FRESH(mprotect(room, 4096, order == 12 ? PROT_NONE : PROT_READ) == 0);
  FRESH(mprotect(room + 4096 * 4, 8192, PROT_READ) == 0);
  if (order == 12) FRESH(mprotect(room + 4096 * 4, 8192, PROT_READ | PROT_WRITE) == 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
