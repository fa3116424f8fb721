// SPDX-License-Identifier: Apache-2.0
//
// Standard input is locked when the run ends.
// FORKED: kill
#include "fresh.h"

namespace {

void look() {
  FRESH(ftrylockfile(stdin) == 0);
  funlockfile(stdin);
}
void leave(int) { flockfile(stdin); }

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
