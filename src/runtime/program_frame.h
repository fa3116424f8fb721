// SPDX-License-Identifier: Apache-2.0
//
// Where the program's own frames begin on the stack of a thread that is inside the runtime, and
// what the registers hold there. Target side.
//
// Frames of the runtime hold its own numbers beside registers of the program that they have saved,
// so neither can be looked at as memory. libgcc's unwinder tells them apart.
#pragma once

#include <cstdint>

namespace raddle::runtime {

struct ProgramFrame {
  std::uintptr_t stack;        // what lies from here on is the program's; 0: not known
  std::uint64_t registers[7];  // rbx, rbp, r12 to r15, and the instruction pointer
};

// Where the unwinder is not loaded already, it is now: for runs that are made to be looked at, and
// no others. Before the run begins.
void load_unwinder();
// Of the current thread.
ProgramFrame find_program_frame();

}  // namespace raddle::runtime
