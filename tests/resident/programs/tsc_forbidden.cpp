// SPDX-License-Identifier: Apache-2.0
//
// Reading the time stamp counter becomes a crash.
// FORKED: .
#include <sys/prctl.h>
#include <x86intrin.h>

#include "fresh.h"

namespace {

unsigned long long sum;
void look() { sum += __rdtsc(); }
void leave(int) { prctl(PR_SET_TSC, PR_TSC_SIGSEGV); }

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
