// SPDX-License-Identifier: Apache-2.0
//
// Memory shared since before main: what runs leave in it others find, forks too; this one puts it
// back by itself, and does not see any other run in it.
#include <sys/mman.h>

#include "fresh.h"

namespace {

int* shared;
__attribute__((constructor)) void before() {
  int both = PROT_READ | PROT_WRITE;
  void* place = mmap(nullptr, 8192, both, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = static_cast<int*>(place);
}
void look() {
  FRESH(shared[0] == 0 && shared[1024] == 0);
  shared[0] = 1;
}
void leave(int order) {
  shared[1024] = order;
  FRESH(shared[0] == 1);
  shared[0] = shared[1024] = 0;
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
