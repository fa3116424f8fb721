// SPDX-License-Identifier: Apache-2.0
//
// Virtual time and the threads that wait for it. Target side.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// A deadline that has already passed makes the thread time out at once.
// A new run begins, at time 0.
void reset_time();

void start_timer(Fiber& fiber, std::uint64_t deadline_ns);
void stop_timer(Fiber& fiber);

// The thread whose deadline comes first (the lower id among equals), or null. While nobody can run
// no time on the processor passes.
Fiber* earliest_timer();

// Lets the clock reach that time, if it has not yet.
void advance_clock(std::uint64_t to_ns);
// Lets the clock reach the thread's deadline.
void fire_timer(Fiber& fiber);
// Fires what the clock has already passed, and sleeps that others have worked through for long.
void fire_due_timers();

// The clock as the program reads it. A thread that reads it often and never waits polls it: from
// then on it gives way with each reading.
std::uint64_t read_clock_ns();

// All threads wait in vain, and some of them for a moment that only they know: the clock takes a
// step, longer ones if nothing comes of it.
void advance_polled_clock();

}  // namespace raddle::runtime
