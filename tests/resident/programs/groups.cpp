// SPDX-License-Identifier: Apache-2.0
//
// A session and a process group of its own.
// FORKED: .
#include "fresh.h"

namespace {

void look() { FRESH(getpgid(0) != getpid() || getsid(0) == getpid()); }
void leave(int order) {
  if (order == 12) setpgid(0, 0);
  if (order == 21) setsid();
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
