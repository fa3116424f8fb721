// SPDX-License-Identifier: Apache-2.0
//
// Every member adds up its own part, and the reduction puts the parts together.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <cassert>

int main() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 8; ++i) sum += i;
  assert(sum == 28);
}
