// SPDX-License-Identifier: Apache-2.0
//
// OpenMP tasks, waited for by taskwait, taskgroup, dependences, taskloop and barriers.
// FLAGS: -fopenmp
// MATRIX: gcc
#include <omp.h>

#include <cassert>

static int fibonacci(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
#pragma omp task shared(a) final(n < 3)
  a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 2)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static int chain, marks[6], grand_children, late;

static void in_groups() {
#pragma omp taskgroup
  for (int i = 0; i < 2; ++i) {
#pragma omp task
    {
#pragma omp task
      {
#pragma omp atomic
        ++grand_children;
      }
#pragma omp taskyield
    }
  }
  assert(grand_children == 2);
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < 6; ++i) marks[i] += i;
  for (int i = 0; i < 6; ++i) assert(marks[i] == i);
}

static void in_order() {
  for (int i = 1; i <= 3; ++i) {
#pragma omp task depend(inout : chain)
    chain = chain * 2 + i;
  }
#pragma omp task depend(in : chain) if (0)
  assert(chain == 11);
#pragma omp task
  late = 1;
}

int main() {
  int result = 0;
#pragma omp parallel
  {
#pragma omp single
    result = fibonacci(4);
#pragma omp single
    in_groups();
#pragma omp single nowait
    in_order();
#pragma omp barrier
    assert(late == 1);
  }
  assert(result == 3 && omp_in_final() == 0);
#pragma omp task shared(result)
  ++result;
  assert(result == 4);
}
