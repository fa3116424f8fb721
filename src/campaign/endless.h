// SPDX-License-Identifier: Apache-2.0
//
// Whether the threads of a run that was cut can leave the circles in which they go. Engine side.
//
// analysis/livelock.h says that every thread has repeated the same operations with the same values.
// That is true of livelocks, but also of a loop that counts in a register, and of threads that get
// in each other's way only as long as they keep in step. What tells them apart are further runs:
//   - kContinuations runs follow the run into the circles and go on at random. If one of them does
//     something else, ends, or blocks, the circles can be left.
//   - One run repeats the run and looks whether it comes back to a state that it has been in,
//     registers, stacks and memory included (runtime/recurrence.h).
// Deviation from what a model checker would do: that a hundred runs stay is no proof that all do.
// Livelocks that count their retries never come back to a state, and are missed.
#pragma once

#include "facts/run.h"
#include "launch/executor.h"

namespace raddle::campaign {

inline constexpr unsigned kContinuations = 100;
inline constexpr StepIndex kContinuedSteps = 2000;

enum class Circles {
  endless,   // nobody leaves them
  in_step,   // threads that fall out of step leave them
  unproved,  // perhaps it was a long way, but a way
};

// Requires: analysis::find_livelock() finds them in the run, which was made by the plan and stays
// valid whatever the executor does. The last run of the executor is this run once more.
Result<Circles> try_to_leave(launch::Executor& executor, const facts::Plan& plan,
                             const facts::Run& run);

}  // namespace raddle::campaign
