// SPDX-License-Identifier: Apache-2.0
//
// What the body of a test leaves behind when it has returned: threads that never end, locks that
// are still locked, objects that were initialised and not destroyed. Target side; in-process runs
// only, since whatever a whole program leaves goes with its process.
//
// The first two are errors of the test, whatever comes after, and end the run as findings. The
// third is harmless in itself: the engine asks for it after some runs (wire/batch.h), and the run
// is as good as any.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// At the calls that begin and end an object. `pc` is the program's.
void note_initialised(const void* object, model::ObjectKind kind, std::uintptr_t pc);
void note_destroyed(const void* object);
// A run begins.
void forget_initialised();

// The body has returned and its threads have ended.
void check_held_locks();

// The body has returned, and the threads that are left wait for ever.
[[noreturn]] void report_endless_thread();

}  // namespace raddle::runtime
