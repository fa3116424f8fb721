// SPDX-License-Identifier: Apache-2.0
//
// The program's child processes that it has not waited for. Target side. While there are any, no
// descriptor counts as inside (outside.h).
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace raddle::runtime {

extern std::uint32_t children_alive;
extern std::uint32_t forked_children;  // of these, those that have the program's memory

void note_child(pid_t child, bool forked);
void note_reaped(pid_t child);
bool any_child_runs();
// A new run begins, where runs are repeated in one process.
void forget_children();

}  // namespace raddle::runtime
