// SPDX-License-Identifier: Apache-2.0
//
// Standard output and error are closed, replaced and exchanged.
#include <fcntl.h>

#include "fresh.h"

namespace {

void look() {
  FRESH(fcntl(1, F_GETFD) == 0 && fcntl(2, F_GETFD) == 0);
  FRESH(fileno(stdout) == 1 && fileno(stderr) == 2 && fileno(stdin) == 0);
  FRESH((fcntl(1, F_GETFL) & O_ACCMODE) != O_RDONLY);
  FRESH(!feof(stdin) && !ferror(stdout));
}
void leave(int order) {
  fputs("before ", stdout);
  fflush(stdout);
  if (order == 12) {
    close(1);
    close(2);
  } else {
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 1);
    dup2(null, 2);
    fputs("refused", stdout);
    fflush(stdout);
    close(fileno(stdin));
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
