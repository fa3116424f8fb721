// SPDX-License-Identifier: Apache-2.0
// Fixed: the buffer has room for both lines.
// SCHEDULES: 500
#include <cstdlib>
#include <thread>

namespace {

char* lines = nullptr;

void mark(int line) { lines[line * 64] = 1; }

}  // namespace

int main() {
  lines = static_cast<char*>(aligned_alloc(64, 128));
  std::thread one(mark, 0), two(mark, 1);
  one.join();
  two.join();
  free(lines);
  return 0;
}
