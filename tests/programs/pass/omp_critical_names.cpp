// SPDX-License-Identifier: Apache-2.0
//
// Both critical constructs have the same name.
// FLAGS: -fopenmp
// MATRIX: gcc
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
#pragma omp critical(deposits)
      count -= 1;
    }
  }
  assert(count == 1 || count == 2 || count == -1);
}
