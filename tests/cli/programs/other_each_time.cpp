// SPDX-License-Identifier: Apache-2.0
//
// Prints something that no two processes have in common, and no two runs of one: the kernel's
// random numbers.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> sum{0};
  std::thread other([&] { ++sum; });
  ++sum;
  other.join();
  FILE* file = fopen("/proc/sys/kernel/random/uuid", "r");
  char text[64] = "";
  if (file == nullptr || fgets(text, sizeof text, file) == nullptr) return 2;
  fclose(file);
  printf("%s", text);
  return 0;
}
