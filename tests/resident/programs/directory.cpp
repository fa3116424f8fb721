// SPDX-License-Identifier: Apache-2.0
//
// The working directory, changed by name and by descriptor, or removed.
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "fresh.h"

namespace {

void look() {
  char here[PATH_MAX];
  FRESH(getcwd(here, sizeof here) != nullptr && !fresh::is(here, "/") && !fresh::is(here, "/usr"));
  FRESH(access("directory", X_OK) == 0);
}
void leave(int order) {
  int other = open("/usr", O_RDONLY | O_DIRECTORY);
  FRESH((order == 12 ? chdir("/") : fchdir(other)) == 0);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
