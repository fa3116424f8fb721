// SPDX-License-Identifier: Apache-2.0
//
// The barrier at the end of the first loop lets nobody begin the second one too early.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <cassert>

constexpr int kSize = 4;

int main() {
  int numbers[kSize] = {};
  int reversed[kSize] = {};
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) numbers[i] = i + 1;
#pragma omp for schedule(static)
    for (int i = 0; i < kSize; ++i) reversed[i] = numbers[kSize - 1 - i];
  }
  for (int i = 0; i < kSize; ++i) assert(reversed[i] == kSize - i);
}
