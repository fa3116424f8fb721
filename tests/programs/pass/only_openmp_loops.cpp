// SPDX-License-Identifier: Apache-2.0
//
// Every schedule of an OpenMP loop gives every iteration to exactly one member, whatever the
// counter's type and direction; so do sections.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <omp.h>

#include <cassert>

static int done[12];

static void check(int first, int last, int times) {
  for (int i = first; i < last; ++i) assert(done[i] == times);
  for (int& count : done) count = 0;
}

int main() {
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 12; ++i) ++done[i];
#pragma omp for schedule(static, 2)
    for (int i = 11; i >= 0; --i) ++done[i];
  }
  check(0, 12, 2);
#pragma omp parallel for schedule(dynamic, 5)
  for (unsigned long long i = 2; i < 12; i += 3) ++done[i];
  assert(done[2] == 1 && done[5] == 1 && done[8] == 1 && done[11] == 1 && done[3] == 0);
  check(0, 0, 0);
  int last = 0;
#pragma omp parallel
  {
#pragma omp for schedule(guided) lastprivate(last)
    for (unsigned long long i = 9; i > 3; --i) {
      ++done[i];
      last = static_cast<int>(i);
    }
  }
  assert(last == 4);
  check(4, 10, 1);
  omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel for schedule(runtime) collapse(2)
  for (long i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) ++done[i * 2 + j];
  check(0, 6, 1);
#pragma omp parallel for schedule(dynamic)
  for (int i = 5; i < 5; ++i) ++done[i];
  check(0, 12, 0);
#pragma omp parallel sections
  {
#pragma omp section
    ++done[0];
#pragma omp section
    ++done[1];
#pragma omp section
    ++done[2];
  }
  check(0, 3, 1);
}
