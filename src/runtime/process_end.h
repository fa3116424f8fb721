// SPDX-License-Identifier: Apache-2.0
//
// The end of the process as a part of the run. Target side; whole programs only, since a test that
// is repeated in one process must not end it.
//
// - To begin the end (return of main, exit, quick_exit) is a point. It is granted to one thread;
//   who comes second waits for ever, as it does with glibc 2.41.
// - Handlers (atexit, at_quick_exit) and static destructors run as ordinary code of that thread,
//   and the other threads go on meanwhile.
// - The end itself, which is all that _exit has, is put off until every other thread has ended,
//   waits, or gives way. A process can end at any point, but a run that is cut there is the
//   beginning of one that is not, so nothing is lost; and there are far fewer of the latter.
// - Threads that go on and on would put it off for ever: after kPutOffSteps it comes all the same,
//   and the engine is told (wire::kEndForced).
//
// What a schedule of an older version asks for (SharedHeader::sudden_exit): none of this is a
// point, and the end is not put off.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

inline constexpr StepIndex kPutOffSteps = 10'000;

// The process begins: what runs last when it exits, after everything that others will register.
// Requires: before the program's own code. Returns what takes the place of `finish`, which libc
// would have called last.
using Finish = void();
Finish* prepare_process_end(Finish* finish);

// The current thread exits the process: returns when it may. `pc`: where the program has called.
void begin_process_end(int status, std::uintptr_t pc);

// The current thread ends the process without more ado (_exit): returns when that is to happen.
// From then on the run is over.
void end_process_at_once(int status, std::uintptr_t pc);

// Whether the frame of the current thread is the first that the process's end has called: below it
// lies what led to that, and libc.
bool begins_the_end(const ShadowFrame* frame);

// Whether nobody but threads that are about to end the process can go on. Requires: g.cares.ending.
bool only_the_end_is_left();
// The threads that are about to end the process, of whom one may now.
const ThreadSet& ending_threads();

}  // namespace raddle::runtime
