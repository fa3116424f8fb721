// SPDX-License-Identifier: Apache-2.0
//
// Children that have been waited for.
// FORKED: .
#include <sys/wait.h>

#include "fresh.h"

namespace {

void look() { FRESH(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD); }
void leave(int order) {
  pid_t child = fork();
  if (child == 0) _exit(order);
  int status = 0;
  FRESH(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == order);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
