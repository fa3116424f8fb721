// SPDX-License-Identifier: Apache-2.0
//
// The file mode mask.
#include <sys/stat.h>

#include "fresh.h"

namespace {

void look() {
  mode_t mask = umask(022);
  FRESH(mask == 022);
}
void leave(int order) { umask(order == 12 ? 077 : 0); }

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
