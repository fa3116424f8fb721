// SPDX-License-Identifier: Apache-2.0
//
// Generators of random numbers begin anew.
#include <stdlib.h>
#include <sys/random.h>

#include "fresh.h"

namespace {

unsigned drawn;

double first_real;
void look() {
  FRESH(rand() == 1804289383);
  FRESH(random() == 846930886);
  first_real = drand48();
  FRESH(first_real < 0.000001);
  FRESH(getrandom(&drawn, sizeof drawn, 0) == sizeof drawn);
  printf("%u ", drawn);
}
char state[256];
void leave(int order) {
  srand(order);
  srand48(order);
  initstate(order, state, sizeof state);
  for (int i = 0; i < order; ++i) rand();
  char more[1000];
  FRESH(getrandom(more, sizeof more, 0) == sizeof more);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
