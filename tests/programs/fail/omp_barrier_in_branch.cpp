// SPDX-License-Identifier: Apache-2.0
//
// Only the first member of the team comes to the barrier; the other one goes to the end of the
// region, and they wait for each other for ever.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=deadlock within=10 message~"barrier of OpenMP team"
#include <omp.h>

#include <cassert>

static int ready;

int main() {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) ready = 1;
    if (omp_get_thread_num() == 0) {
#pragma omp barrier
    }
  }
  assert(ready == 1);
}
