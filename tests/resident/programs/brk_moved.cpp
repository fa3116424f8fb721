// SPDX-License-Identifier: Apache-2.0
//
// The end of the data segment.
#include <stdint.h>

#include "fresh.h"

namespace {

void look() {
  char* now = static_cast<char*>(sbrk(0));
  char* more = static_cast<char*>(sbrk(8192));
  FRESH(more == now);
  for (int i = 0; i < 8192; ++i) FRESH(more[i] == 0);
  memset(more, 1, 8192);
  sbrk(-8192);
  printf("%lx ", reinterpret_cast<uintptr_t>(now));
}
void leave(int order) {
  char* more = static_cast<char*>(sbrk(order * 4096));
  memset(more, order, order * 4096);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
