// SPDX-License-Identifier: Apache-2.0
//
// What a debugger may rely on. Target side. Functions that do nothing, for breakpoints at the
// turning points of a run, and a table (raddle_debug_table, in debugger.cc) that says where the
// state of the threads lies. All of them are exported, so that neither debug information nor a
// symbol table of the runtime is needed. The other side is launch/raddle_gdb.py.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

struct DebugEntry {
  const char* name;
  const void* address;  // null: the entry is a number
  std::uint64_t number;
};

}  // namespace raddle::runtime

RADDLE_EXPORT const raddle::runtime::DebugEntry raddle_debug_table[];

// The run begins. `main` is the program's, about to be called; null if a static constructor was the
// first to need a run.
RADDLE_EXPORT void raddle_debug_run_begins(const void* main);
// The verdict is written; everything is still as it was.
RADDLE_EXPORT void raddle_debug_run_ends();
// The current thread's access races with an earlier one.
RADDLE_EXPORT void raddle_debug_race();
