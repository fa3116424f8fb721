// SPDX-License-Identifier: Apache-2.0
//
// Runs repeated inside one process: the body of a unit test is called again and again under
// control, in the process that the test framework runs in. Target side; the other side, in the same
// process, is src/check.
//
// Between runs the runtime is off. A run that ends well has ended its threads and leaves the first
// one where it was; a run that ends otherwise (deadlock, crash, limit) is left by a jump: its
// threads stop where they are, their stacks and what they hold are given to the next run, and what
// they had allocated stays allocated.
//
// invariant: what a run does is a function of program state, input and plan. So everything of the
// runtime that could show in a run starts each time from the same state: thread numbers and their
// TLS, stacks, allocation numbers, clocks, objects; addresses of the heap too, unless a run leaves
// something allocated. Epochs go on instead, so that the shadow need not be cleared: what was
// touched in earlier runs is older than everything (State::epoch_floor).
#pragma once

#include "runtime/fatal.h"
#include "runtime/runtime.h"
#include "wire/batch.h"

namespace raddle::runtime {

// Whether the run shares its process with other runs. False in the processes that are forked to
// repeat one of them.
bool in_place();

// A check of the test has failed, at `pc`; the run goes on to its end. Requires: in_place().
void note_failed_check(const char* text, std::uintptr_t pc);

// How a run that comes to `ending` ends: by the check that has failed before, if one has, since in
// a process of its own the run would have ended there. Requires: in_place().
Ending after_failed_check(const Ending& ending);

// The run is over, by its verdict. Requires: in_place().
[[noreturn]] void leave_run();

}  // namespace raddle::runtime
