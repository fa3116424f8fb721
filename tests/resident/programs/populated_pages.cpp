// SPDX-License-Identifier: Apache-2.0
//
// Pages become the process's own without a fault of its threads, and are written in later runs.
// FORKED: mapped
#include <sys/mman.h>

#include "fresh.h"

namespace {

alignas(4096) char room[64][4096];
void look() {
  for (auto& page : room)
    for (int i = 0; i < 4096; i += 64) FRESH(page[i] == 0);
}
void leave(int order) {
  static unsigned seed = 5;
  seed = seed * 1103515245 + order;
  if (order == 12) {
    madvise(room, sizeof room, 23);  // MADV_POPULATE_WRITE
    mlock(room, sizeof room);
    munlock(room, sizeof room);
  } else {
    room[seed % 64][seed % 4096] = 1;
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
