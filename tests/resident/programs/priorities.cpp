// SPDX-License-Identifier: Apache-2.0
//
// Priority and scheduling of the process.
// FORKED: .
#include <sched.h>
#include <sys/resource.h>

#include "fresh.h"

namespace {

void look() {
  FRESH(getpriority(PRIO_PROCESS, 0) < 5);
  FRESH(sched_getscheduler(0) == SCHED_OTHER);
}
void leave(int order) {
  setpriority(PRIO_PROCESS, 0, 6);
  sched_param none{};
  if (order == 12) sched_setscheduler(0, SCHED_BATCH, &none);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
