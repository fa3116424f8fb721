// SPDX-License-Identifier: Apache-2.0
//
// The limit on the stack of the program under test. Engine side. Without one (ulimit -s unlimited)
// the kernel lays out the address space from below, where the runtime's memory belongs.
#pragma once

#include <string>

namespace raddle::launch {

// What to tell about it; empty if there is a limit.
std::string stack_limit_note();

// Sets a limit for this process, if there is none. A system call or two: may be called between fork
// and exec.
void limit_stack();

}  // namespace raddle::launch
