// SPDX-License-Identifier: Apache-2.0
//
// The name of the process and of its threads.
#include <sys/prctl.h>

#include "fresh.h"

namespace {

void look() {
  char name[17] = {};
  prctl(PR_GET_NAME, name);
  FRESH(!fresh::is(name, "left") && !fresh::is(name, "other"));
  pthread_getname_np(pthread_self(), name, sizeof name);
  FRESH(!fresh::is(name, "left") && !fresh::is(name, "other"));
}
void leave(int order) {
  if (order == 12) prctl(PR_SET_NAME, "left");
  if (order == 21) pthread_setname_np(pthread_self(), "other");
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
