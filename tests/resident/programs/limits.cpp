// SPDX-License-Identifier: Apache-2.0
//
// Limits of the process.
// FORKED: .
#include <sys/resource.h>

#include "fresh.h"

namespace {

void look() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  FRESH(files.rlim_cur != 77);
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  FRESH(core.rlim_cur != 4096);
}
void leave(int) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = 77;
  setrlimit(RLIMIT_NOFILE, &files);
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  core.rlim_cur = 4096;
  setrlimit(RLIMIT_CORE, &core);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
