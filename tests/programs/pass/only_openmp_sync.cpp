// SPDX-License-Identifier: Apache-2.0
//
// Critical, atomic, single, copyprivate, master, barriers and locks of OpenMP, and what they order.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <omp.h>

#include <cassert>

static int unnamed, named, locked, nested;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

static void deeper() {
  omp_set_nest_lock(&nest_lock);
  ++nested;
  omp_unset_nest_lock(&nest_lock);
}

static void count_under_locks() {
#pragma omp critical
  ++unnamed;
#pragma omp critical(some)
  ++named;
  while (!omp_test_lock(&lock)) {
  }
  ++locked;
  omp_unset_lock(&lock);
  omp_set_nest_lock(&nest_lock);
  deeper();
  assert(omp_test_nest_lock(&nest_lock) == 2);
  omp_unset_nest_lock(&nest_lock);
  omp_unset_nest_lock(&nest_lock);
}

int main() {
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  int singles = 0, from_first = 0, copied = 0, sum = 0;
  double product = 1;
#pragma omp parallel num_threads(2) firstprivate(copied) reduction(+ : sum) reduction(* : product)
  {
    count_under_locks();
#pragma omp single nowait
    ++singles;
#pragma omp master
    from_first = 5;
#pragma omp barrier
    sum += from_first;
    product *= 2;
#pragma omp single copyprivate(copied)
    copied = 9;
    assert(copied == 9 && unnamed == 2 && named == 2 && locked == 2 && nested == 2);
  }
  assert(singles == 1 && sum == 10 && product == 4);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest_lock);
}
