// SPDX-License-Identifier: Apache-2.0
// Bug: the program suppresses races of another function.
// EXPECT: kind=data-race within=20 message~"on `guess`"
// MATRIX: skip
#include <thread>

extern "C" const char* __tsan_default_suppressions() {
  return "# rough numbers are enough\nrace:measure\nmutex:nobody\n";
}

int guess = 0;

void estimate() { ++guess; }

int main() {
  std::thread a(estimate), b(estimate);
  a.join();
  b.join();
}
