// SPDX-License-Identifier: Apache-2.0
//
// The parent adds the results of its two tasks without waiting for them.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=assertion within=200 message~"sum == 42"
#include <cassert>

static int left, right;

int main() {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    left = 20;
#pragma omp task
    right = 22;
    sum = left + right;
  }
  assert(sum == 42);
}
