// SPDX-License-Identifier: Apache-2.0
// Bug: the buffer is given back before the writer is done.
// EXPECT: kind=use-after-free within=100 message~"freed by T0"
// MATRIX: skip
#include <cstdlib>
#include <thread>

namespace {

char* buffer = nullptr;

void write_all() {
  for (int i = 0; i < 3; ++i) buffer[i] = 'a';
}

}  // namespace

int main() {
  buffer = static_cast<char*>(malloc(3));
  std::thread writer(write_all);
  free(buffer);
  writer.join();
  return 0;
}
