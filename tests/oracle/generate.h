// SPDX-License-Identifier: Apache-2.0
//
// Random small programs: the seed determines the program. Tests only.
#pragma once

#include "oracle/program.h"

namespace raddle::oracle {

// Locks are given back by the thread that took them, every thread that is created is joined by its
// creator, and guards are on registers that have been set: a program may race or deadlock, but it
// misuses nothing.
Program generate(std::uint64_t seed);

// Programs with few executions, that may also end the process in any thread, leave threads alone,
// free a block that others use, and hold locks when they end.
Program generate_proof(std::uint64_t seed);

}  // namespace raddle::oracle
