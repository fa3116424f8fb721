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

namespace raddle::runtime {

// The plan asks for it: lets the run stop at the step from which on it is looked at.
void prepare_recurrence();

// The run has come to g.max_steps. Whether it goes on. Requires: the current thread is at a point.
bool watch_recurrence();

}  // namespace raddle::runtime
