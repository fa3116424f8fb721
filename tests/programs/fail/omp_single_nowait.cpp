// SPDX-License-Identifier: Apache-2.0
//
// One member of the team prepares the table that all of them use, but nowait lets the others begin
// before it is done.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=assertion within=200 message~"right == "
#include <omp.h>

#include <cassert>

static int table[2];

int main() {
  int right = 0;
#pragma omp parallel num_threads(2) reduction(+ : right)
  {
#pragma omp single nowait
    {
      table[0] = 10;
      table[1] = 11;
    }
    right += table[omp_get_thread_num()] == 10 + omp_get_thread_num();
  }
  assert(right == 2);
}
