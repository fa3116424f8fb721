// SPDX-License-Identifier: Apache-2.0
//
// The barrier at the end of single makes everybody wait for the table.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <omp.h>

#include <cassert>

static int table[2];

int main() {
  int right = 0;
#pragma omp parallel num_threads(2) reduction(+ : right)
  {
#pragma omp single
    {
      table[0] = 10;
      table[1] = 11;
    }
    right += table[omp_get_thread_num()] == 10 + omp_get_thread_num();
  }
  assert(right == 2);
}
