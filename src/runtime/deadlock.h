// SPDX-License-Identifier: Apache-2.0
//
// Deadlocks, exactly: a cycle of threads each waiting for the next, found the moment it closes; and
// nobody left who could run. Target side.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// Requires: `fiber` has just blocked for good (no deadline). Ends the run if that closed a cycle.
void check_for_cycle(Fiber& fiber);

[[noreturn]] void report_global_deadlock();

// The thread that `fiber` waits for, if there is one to name; else kNoThread.
ThreadId waits_for(const Fiber& fiber);

}  // namespace raddle::runtime
