// SPDX-License-Identifier: Apache-2.0
//
// All members of an OpenMP team add to one variable, and nothing says that it is a reduction:
// additions get lost.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=assertion within=200 message~"sum == 28"
#include <cassert>

int main() {
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 8; ++i) sum += i;
  assert(sum == 28);
}
