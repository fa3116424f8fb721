// SPDX-License-Identifier: Apache-2.0
//
// What the processes of a fork would share, beyond what runs of the fork server share anyway.
// Target side. Asked before a checkpoint is made (checkpoint.h); takes some dozens of system calls.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace raddle::runtime {

// In the process that runs are forked from: what is there from the start is no matter of runs.
void note_what_is_shared();

// Whether the run has nothing of its own in the kernel that a fork would share or lose: files that
// it opened, its standard output or error led elsewhere, shared mappings, kernel threads, children,
// libraries loaded.
bool shares_nothing();

// How much the run has written to its standard output or error. Requires: shares_nothing().
std::size_t bytes_printed(int file);

// Where the run is in its standard input, and going there with an offset of one's own.
struct InputPlace {
  bool has_offset;
  off_t offset;
};
InputPlace input_place();
void reopen_input(const InputPlace& place);

}  // namespace raddle::runtime
