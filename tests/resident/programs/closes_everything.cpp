// SPDX-License-Identifier: Apache-2.0
//
// All descriptors are closed, as daemons do, those of raddle among them.
#include "fresh.h"

namespace {

void look() {}
void leave(int order) {
  if (order == 12) close_range(3, ~0u, 0);
  for (int i = 3; order == 21 && i < 1024; ++i) close(i);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
