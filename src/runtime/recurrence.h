// SPDX-License-Identifier: Apache-2.0
//
// Recurrence: whether a run comes back to a state that it has been in. Target side; for the engine,
// which wants to know whether a run that was cut goes in circles (campaign/endless.h).
//
// The state is what the program can see: of every thread its registers, its stack and its pending
// operation, all memory that can be written, blocks of the heap, synchronisation objects, and the
// clock. Nothing of the runtime's own, whose counters go on. States are compared by 64-bit digests.
//
// In doubt it has not come back: barriers count their rounds, freed blocks rest before they are
// used again, large mappings are not looked at where the kernel does not say what is there.
#pragma once

#include "base/ids.h"

namespace raddle::runtime {

// A run begins. Returns the first step at which watch_recurrence() wants to be called, if the plan
// asks for it; else a step that never comes.
StepIndex prepare_recurrence();

// Looks at the state, and returns when it wants to do so again. Requires: the current thread is at
// a point.
StepIndex watch_recurrence();

}  // namespace raddle::runtime
