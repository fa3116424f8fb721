// SPDX-License-Identifier: Apache-2.0
//
// The second task reads what the first one writes, but does not say so: nothing orders the two.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=assertion within=200 message~"read == 7"
#include <cassert>

static int written, read;

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : written)
    written = 7;
#pragma omp task
    read = written;
  }
  assert(read == 7);
}
