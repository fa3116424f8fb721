// SPDX-License-Identifier: Apache-2.0
//
// popen, and no pclose.
// FORKED: .
#include "fresh.h"

namespace {

void look() { FRESH(access("command_pipe", X_OK) == 0); }
void leave(int order) {
  FILE* command = popen("echo some words", "r");
  char line[20];
  FRESH(fgets(line, sizeof line, command) != nullptr && fresh::is(line, "some words\n"));
  if (order == 12) pclose(command);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
