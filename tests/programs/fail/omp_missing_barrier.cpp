// SPDX-License-Identifier: Apache-2.0
//
// The second loop reads what other members of the team write in the first one, but nowait has taken
// away the barrier between them.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=assertion within=200 message~"reversed"
#include <cassert>

constexpr int kSize = 4;

int main() {
  int numbers[kSize] = {};
  int reversed[kSize] = {};
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kSize; ++i) numbers[i] = i + 1;
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) reversed[i] = numbers[kSize - 1 - i];
  }
  for (int i = 0; i < kSize; ++i) assert(reversed[i] == kSize - i);
}
