// SPDX-License-Identifier: Apache-2.0
//
// Two sections take the same two OpenMP locks in opposite orders: each may get one and wait for the
// other.
// FLAGS: -fopenmp
// MATRIX: gcc
// EXPECT: kind=deadlock within=200 stack=transfer
#include <omp.h>

#include <cassert>

static omp_lock_t checking, savings;
static int moved;

static void transfer(omp_lock_t* from, omp_lock_t* to) {
  omp_set_lock(from);
  omp_set_lock(to);
  ++moved;
  omp_unset_lock(to);
  omp_unset_lock(from);
}

int main() {
  omp_init_lock(&checking);
  omp_init_lock(&savings);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    transfer(&checking, &savings);
#pragma omp section
    transfer(&savings, &checking);
  }
  assert(moved == 2);
  omp_destroy_lock(&savings);
  omp_destroy_lock(&checking);
}
