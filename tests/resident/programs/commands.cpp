// SPDX-License-Identifier: Apache-2.0
//
// Commands by the shell, and by posix_spawn.
// FORKED: .
#include <spawn.h>
#include <sys/wait.h>

#include "fresh.h"

namespace {

void look() { FRESH(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD); }
void leave(int order) {
  if (order == 12) {
    FRESH(system("exit 3") >> 8 == 3);
    return;
  }
  char name[] = "true";
  char* words[] = {name, nullptr};
  pid_t child;
  FRESH(posix_spawn(&child, "/bin/true", nullptr, nullptr, words, environ) == 0);
  FRESH(waitpid(child, nullptr, 0) == child);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
