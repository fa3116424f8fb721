// SPDX-License-Identifier: Apache-2.0
//
// Parallel regions in parallel regions, in other threads, and one after the other: levels, numbers,
// and threadprivate variables, which outlive a region.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <omp.h>

#include <cassert>
#include <thread>

static int inner_members;
static int mine;
#pragma omp threadprivate(mine)

static void nested() {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
      assert(omp_get_level() == 2 && omp_get_active_level() == 2 && omp_get_num_threads() == 2);
      assert(omp_get_ancestor_thread_num(1) == outer && omp_get_team_size(1) == 2);
#pragma omp atomic
      ++inner_members;
#pragma omp barrier
#pragma omp parallel
      assert(omp_get_level() == 3 && omp_get_num_threads() == 1);
    }
    assert(omp_get_thread_num() == outer && omp_get_level() == 1);
  }
  assert(inner_members == 4);
}

int main() {
  assert(!omp_in_parallel() && omp_get_max_threads() > 0 && omp_get_num_procs() > 0);
#pragma omp parallel num_threads(3)
  mine = omp_get_thread_num() + 1;
#pragma omp parallel num_threads(3)
  assert(mine == omp_get_thread_num() + 1 && omp_in_parallel());
  std::thread other(nested);
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4; ++i) sum += i;
  assert(sum == 6);
  other.join();
}
