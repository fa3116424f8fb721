// SPDX-License-Identifier: Apache-2.0
//
// The program's global variables, put back after every run in place. Target side; the variables
// are described by the engine (wire/restore.h), which knows debug information.
//
// All variables or none: where some cannot be put back without the memory that they refer to, the
// others would not fit to it. Then nothing is put back from that run on, and the engine says so.
#pragma once

#include <cstdint>

namespace raddle::runtime {

// A run in place is over, and the runtime is off.
void restore_globals();

// Whether the memory is put back after the run. Unknown is no.
bool is_restored(const void* address);

// A destructor is to be called at the end of the process, for an object that may be put back to
// what it was before it was made. True: it was taken, and will be registered only if the object
// stays.
bool hold_exit_handler(void (*handler)(void*), void* object, void* library);

}  // namespace raddle::runtime
