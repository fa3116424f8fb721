// SPDX-License-Identifier: Apache-2.0
//
// Floating-point exceptions are trapped from some run on.
#include <fenv.h>

#include "fresh.h"

namespace {

void look() {
  FRESH(fegetexcept() == 0);
  volatile double zero = 0;
  volatile double result = 1 / zero;
  FRESH(result > 1);
}
void leave(int order) {
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(order == 12 ? FE_DIVBYZERO : FE_ALL_EXCEPT);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
