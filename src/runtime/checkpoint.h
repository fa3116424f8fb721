// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints: a run forks a process that stays where the run is now, and from which other runs
// that begin in the same way are continued. Target side; which runs those are is the engine's
// business (src/launch/checkpoints.h). All threads are fibers of one kernel thread, so a fork is a
// copy of the whole program.
//
// There are two kinds. Before the first thread is created nobody has had a choice and no plain
// access was a point (but for systematic searches), so such a checkpoint serves every policy, seed
// and set of sites: the policy begins there, and is told of the steps that were made without it.
// One before a choice serves plans of the same policy that agree in all choices made so far, for
// policies that do what the plan says and nothing else (Policy::resume).
//
// invariants: a run does the same whether or not it makes checkpoints, and whether or not it comes
// from one. The descriptors and the memory of a run are the same, too; its process id is not, so
// there are no checkpoints behind the first call that tells it. Nor are there any while the run
// has what processes would share or one of them would miss: files it opened or changed, shared
// memory, children, locks of the dynamic linker.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// A run begins at main.
void begin_checkpoints();

// The first thread is about to be created. Cheap when it is not the time for a checkpoint.
void checkpoint_before_threads();

// Requires: g.checkpoints. The policy is about to be asked.
void checkpoint_before_choice();

// The current thread's pending op is carried out without asking the policy.
void note_lone_step();

// The run did what a continued run would have to do again: it has seen its process id, or changed
// files.
void note_lasting_effect();
bool had_lasting_effect();

}  // namespace raddle::runtime
