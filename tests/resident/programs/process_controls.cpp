// SPDX-License-Identifier: Apache-2.0
//
// What prctl and personality set for the process.
// FORKED: .
#include <sys/personality.h>
#include <sys/prctl.h>

#include "fresh.h"

namespace {

void look() {
  FRESH(prctl(PR_GET_DUMPABLE) == 1);
  FRESH(prctl(PR_GET_TIMERSLACK) != 77777);
  FRESH(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
  FRESH((personality(0xffffffff) & UNAME26) == 0);
  int reaper = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &reaper);
  FRESH(reaper == 0);
}
void leave(int order) {
  prctl(PR_SET_TIMERSLACK, 77777);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  personality(personality(0xffffffff) | UNAME26);
  if (order == 12) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (order == 21) prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
