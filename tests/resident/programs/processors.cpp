// SPDX-License-Identifier: Apache-2.0
//
// The processors that the process may use.
// FORKED: .
#include <sched.h>

#include "fresh.h"

namespace {

int allowed() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}
int first_allowed() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) return i;
  return 0;
}
// There may be one only: then there is nothing to see.
void look() { printf("%d ", allowed()); }
void leave(int) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(first_allowed(), &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
