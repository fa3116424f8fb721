// SPDX-License-Identifier: Apache-2.0
//
// Misused memory ends the run inside the allocator.
// FLAGS: -Wno-use-after-free
#include <malloc.h>

#include "fresh.h"

namespace {

char* volatile block;
void look() { FRESH(block == nullptr); }
void leave(int order) {
  block = static_cast<char*>(malloc(100));
  free(block);
  if (order == 12) {
    free(block);
  } else {
    block[5] = 1;
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
