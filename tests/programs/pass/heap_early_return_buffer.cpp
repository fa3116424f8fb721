// SPDX-License-Identifier: Apache-2.0
// Fixed: the writer is waited for first.
// SCHEDULES: 500
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
  writer.join();
  free(buffer);
  return 0;
}
