// SPDX-License-Identifier: Apache-2.0
//
// Recognises spin loops, so that the fairness filter can let others run. Target side.
//
// A thread spins when it reads the same value at the same place and site again and again and does
// nothing else in between. After kSpinReads such turns, every further turn is a yield.
#pragma once

#include "runtime/controller.h"

namespace raddle::runtime {

// Enough to leave straight-line code that reads a variable a few times alone.
inline constexpr unsigned kSpinReads = 4;

// The current thread is about to read; call before pass_point. Marks it as yielding if it spins.
void note_read(const PendingOp& op);

// The current thread has tried something that failed (try-lock, compare-exchange).
void note_failure(const PendingOp& op);

// The current thread changes something: whatever it was doing, it is not spinning.
inline void note_progress() { g.current->spin_next = 0; }

}  // namespace raddle::runtime
