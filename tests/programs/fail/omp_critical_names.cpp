// SPDX-License-Identifier: Apache-2.0
//
// Both sections guard the counter by a critical construct, but by two that have different names and
// know nothing of each other.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=data-race within=50 message~"count"
#include <cassert>

static int count;

int main() {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp critical(deposits)
      count += 2;
    }
#pragma omp section
    {
#pragma omp critical(withdrawals)
      count -= 1;
    }
  }
  assert(count == 1 || count == 2 || count == -1);
}
