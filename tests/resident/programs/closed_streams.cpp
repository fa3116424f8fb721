// SPDX-License-Identifier: Apache-2.0
//
// fclose of standard streams, and freopen.
#include "fresh.h"

namespace {

void look() {
  FRESH(stdin != nullptr && fileno(stdin) == 0 && fileno(stdout) == 1);
  FRESH(printf("look ") == 5);
}
void leave(int order) {
  if (order == 12) {
    fclose(stdin);
    fclose(stdout);
  } else {
    FRESH(freopen("/dev/null", "w", stdout) != nullptr);
    FRESH(freopen("/dev/null", "r", stdin) != nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
