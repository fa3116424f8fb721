// SPDX-License-Identifier: Apache-2.0
// Prints what a program could see of how it was started, and then always fails.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

extern char** environ;

int main(int argc, char** argv) {
  int variables = 0;
  for (char** variable = environ; *variable != nullptr; ++variable) ++variables;
  void* block = malloc(100);
  printf("%p %p %p %p %p\n", static_cast<void*>(&argc), static_cast<void*>(argv[0]),
         static_cast<void*>(environ[variables - 1]), reinterpret_cast<void*>(&main), block);
  printf("%d arguments, %d variables, next descriptor %d, terminal %d\n", argc, variables, dup(0),
         isatty(1));
  free(block);
  fflush(stdout);
  assert(argc == 0);
}
