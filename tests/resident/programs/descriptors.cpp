// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that a run opens, in low and high places, and closes: its own and the first three.
#include <fcntl.h>

#include "fresh.h"

namespace {

int first;
void look() {
  first = open("/dev/null", O_RDONLY);
  FRESH(first >= 3 && first < 20);
  for (int i = first + 1; i < 700; ++i) FRESH(fcntl(i, F_GETFD) < 0);
  for (int i = 0; i < 3; ++i) FRESH(fcntl(i, F_GETFD) == 0);
  FRESH((fcntl(0, F_GETFL) & O_ACCMODE) == O_RDONLY);
}
void leave(int order) {
  fcntl(first, F_DUPFD, 400);
  dup2(first, 600 + order);
  for (int i = 0; i < 5; ++i) FRESH(open("/", O_RDONLY) >= 0);
  close(first + 2);
  for (int i = 0; i < 3; ++i) fcntl(i, F_SETFD, FD_CLOEXEC);
  close(0);
  if (order == 12) FRESH(open("/dev/zero", O_RDWR) == 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
