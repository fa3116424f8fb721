// SPDX-License-Identifier: Apache-2.0
//
// A child writes into the memory of the run from outside.
// FORKED: .
#include <sys/uio.h>
#include <sys/wait.h>

#include "fresh.h"

namespace {

alignas(4096) char room[4 * 4096];
void look() {
  for (char each : room) FRESH(each == 0);
}
void leave(int order) {
  pid_t target = getpid();
  pid_t child = fork();
  if (child == 0) {
    char word[] = "from outside";
    iovec here{word, sizeof word};
    iovec there{room + order * 100, sizeof word};
    process_vm_writev(target, &here, 1, &there, 1, 0);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
