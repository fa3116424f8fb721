// SPDX-License-Identifier: Apache-2.0
//
// A process that is not dumpable cannot look at its own pages any more.
// FORKED: .
#include <sys/prctl.h>

#include "fresh.h"

namespace {

void look() { FRESH(prctl(PR_GET_DUMPABLE) == 1); }
void leave(int) { prctl(PR_SET_DUMPABLE, 0); }

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
