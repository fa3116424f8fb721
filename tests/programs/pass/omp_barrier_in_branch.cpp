// SPDX-License-Identifier: Apache-2.0
//
// All members come to the barrier.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <omp.h>

#include <cassert>

static int ready;

int main() {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) ready = 1;
#pragma omp barrier
    assert(ready == 1);
  }
  assert(ready == 1);
}
