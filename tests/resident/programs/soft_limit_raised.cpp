// SPDX-License-Identifier: Apache-2.0
//
// A limit is changed by prlimit, which is another call for the same.
// FORKED: .
#include <sys/resource.h>

#include "fresh.h"

namespace {

void look() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  FRESH(files.rlim_cur != 78);
}
void leave(int) {
  rlimit files{};
  prlimit(0, RLIMIT_NOFILE, nullptr, &files);
  files.rlim_cur = 78;
  prlimit(0, RLIMIT_NOFILE, &files, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
