// SPDX-License-Identifier: Apache-2.0
//
// A file grows by a line in every run: no run is lost, none is made twice.
#include <fcntl.h>

#include "fresh.h"

namespace {

void look() {}
void leave(int order) {
  int file = open("appended", O_WRONLY | O_CREAT | O_APPEND, 0644);
  FRESH(dprintf(file, "%d\n", order) == 3);
  FILE* stream = fopen("appended", "a");
  fprintf(stream, "%d\n", order + 1);
  fclose(stream);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
