// SPDX-License-Identifier: Apache-2.0
//
// Output that is not flushed when the run ends, in streams of the run's own too; buffers and modes.
#include <stdio_ext.h>
#include <wchar.h>

#include "fresh.h"

namespace {

char own[64];
void look() {
  FRESH(__fpending(stdout) == 0 && __fpending(stderr) == 0);
  FRESH(fwide(stdout, 0) == 0 && fwide(stderr, 0) == 0);
  FRESH(own[0] == 0);
}
void leave(int order) {
  if (order == 12) {
    setvbuf(stdout, own, _IOFBF, sizeof own);
    fputs("in its own buffer", stdout);
  } else {
    fputs("without an end", stdout);
  }
  FILE* other = fopen("/dev/null", "w");
  fputs("never written", other);
  fwprintf(stderr, L"wide\n");
  setvbuf(stderr, nullptr, _IOFBF, 100);
  fwprintf(stderr, L"pending");
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
