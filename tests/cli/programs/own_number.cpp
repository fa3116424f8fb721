// SPDX-License-Identifier: Apache-2.0
//
// Appends the number of its process to the file that is named, in every run; with `child` it has a
// child process do something first, with `limits` it changes its priority (by nothing).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <thread>

int main(int argc, char** argv) {
  std::atomic<int> sum{0};
  std::thread other([&] { ++sum; });
  ++sum;
  other.join();
  if (argc > 2 && strcmp(argv[2], "child") == 0 && system("true") != 0) return 2;
  if (argc > 2 && strcmp(argv[2], "limits") == 0 && nice(0) < 0) return 3;
  FILE* file = fopen(argv[1], "a");
  fprintf(file, "%d\n", getpid());
  fclose(file);
  return 0;
}
