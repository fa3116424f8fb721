// SPDX-License-Identifier: Apache-2.0
//
// taskwait lets the parent go on only when both tasks have ended.
// FLAGS: -fopenmp
// MATRIX: gcc
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
#pragma omp taskwait
    sum = left + right;
  }
  assert(sum == 42);
}
