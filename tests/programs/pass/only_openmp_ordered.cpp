// SPDX-License-Identifier: Apache-2.0
//
// Ordered regions of OpenMP loops run in the order of the iterations, for every schedule.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <cassert>

static int next;

int main() {
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 5; ++i) {
#pragma omp ordered
    assert(next++ == i);
  }
  next = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
  for (int i = 0; i < 5; ++i) {
    if (i != 3) {
#pragma omp ordered
      next += 1 + (next > i);
    }
  }
  assert(next == 4);
  next = 9;
#pragma omp parallel for ordered schedule(guided, 2)
  for (unsigned long long i = 9; i > 4; --i) {
#pragma omp ordered
    assert(next-- == static_cast<int>(i));
  }
}
