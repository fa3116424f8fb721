// SPDX-License-Identifier: Apache-2.0
//
// Memory of the process is written through a file of the process.
#include <fcntl.h>

#include "fresh.h"

namespace {

alignas(4096) char room[4 * 4096];
const volatile char constant[8192] = {1};
void look() {
  for (char each : room) FRESH(each == 0);
  for (size_t i = 1; i < sizeof constant; ++i) FRESH(constant[i] == 0);
}
void leave(int order) {
  int memory = open("/proc/self/mem", O_RDWR);
  if (memory < 0) return;
  pwrite(memory, "x", 1, reinterpret_cast<off_t>(room) + order * 100);
  pwrite(memory, "x", 1, reinterpret_cast<off_t>(constant) + order * 100);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
