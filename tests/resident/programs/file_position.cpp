// SPDX-License-Identifier: Apache-2.0
//
// A file that was opened before main: a run reads a part of it and closes it.
// FORKED: ^$|.
#include <fcntl.h>

#include "fresh.h"

namespace {

int file = -1;
__attribute__((constructor)) void before() { file = open("/proc/self/exe", O_RDONLY); }
void look() {
  FRESH(lseek(file, 0, SEEK_CUR) == 0);
  char four[4];
  FRESH(read(file, four, 4) == 4 && memcmp(four, "\177ELF", 4) == 0);
}
void leave(int order) {
  if (order == 12) close(file);
  if (order == 21) lseek(file, 100, SEEK_SET);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
