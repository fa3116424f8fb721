// SPDX-License-Identifier: Apache-2.0
//
// How the processor rounds and what it traps: control words, flags, registers of x87 and of SSE.
#include <fenv.h>
#include <xmmintrin.h>

#include "fresh.h"

namespace {

unsigned short control() {
  unsigned short word;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
}
unsigned short tags() {
  struct {
    unsigned short words[14];
  } state;
  asm volatile("fnstenv %0; fldenv %0" : "=m"(state));
  return state.words[4];
}
void look() {
  FRESH(fegetround() == FE_TONEAREST);
  FRESH(control() == 0x37f);
  FRESH((_mm_getcsr() & ~0x3fu) == 0x1f80);
  FRESH(fetestexcept(FE_DIVBYZERO) == 0);
  FRESH(tags() == 0xffff);
  volatile double third = 1;
  third = third / 3;
  FRESH(third * 3 == 1);
}
void leave(int order) {
  fesetround(order == 12 ? FE_UPWARD : FE_TOWARDZERO);
  feraiseexcept(FE_DIVBYZERO | FE_OVERFLOW);
  _mm_setcsr(_mm_getcsr() | 0x8040);
  unsigned short single = 0x07f;
  if (order == 21) asm volatile("fldcw %0" ::"m"(single));
  for (int i = 0; i < 3; ++i) asm volatile("fld1");
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
