// SPDX-License-Identifier: Apache-2.0
//
// What wakes threads although no thread does: time, the outside, and whims of condvars. Target
// side; a part of the controller.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// Lets time pass until somebody can run. Ends the run if that can never be.
void let_time_pass();

// Threads that could run although nothing has woken them: the earliest timer if timers may fire at
// any point, and condvar waiters while spurious wake-ups are left.
bool early_wakers_possible();
void offer_early_wakers(ThreadSet& candidates);
// One of these has been chosen.
void wake_early(Fiber& fiber);

}  // namespace raddle::runtime
