// SPDX-License-Identifier: Apache-2.0
//
// The depend clauses order the second task after the first.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <cassert>

static int written, read;

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : written)
    written = 7;
#pragma omp task depend(in : written)
    read = written;
  }
  assert(read == 7);
}
