// SPDX-License-Identifier: Apache-2.0
//
// The memory of the process at one moment, and going back to it. Target side; for resident runs
// (resident.h). After what a throw-away prototype measured: whatever faults in every run loses, so
// pages that runs write are copied back after each run, and nothing is protected.
//
// Which pages those are: the process is forked from the server, so pages that no run has written
// are still shared with it, and the first write to one is a page fault. A run without page faults
// has written only pages that are known. After one with faults the kernel is asked for all pages
// that are exclusively ours: those, not those that differ, because a page that was written and set
// back does not fault any more.
//
// invariants: after restore() every page of private memory is as it was when take() was called, but
// for the region of the snapshot itself (kResidentBase). All functions run on a stack in that
// region and use no libc, since libc's memory is a part of what is put back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::runtime::snapshot {

enum class Result : std::uint8_t {
  done,
  unsupported,  // the kernel cannot tell
  too_large,    // no room for the copy
  mappings,     // there is memory that was not there
  unseen,       // restore() had missed something
};

// Reserves the region; false if there is no room. Before all others, on any stack.
bool reserve();
// The end of the stack that the following have to run on.
std::uintptr_t stack_end();

Result take();

// A run begins: page faults count from here.
void begin_run();
// The run is over. `look` at all pages, whether there were page faults or not: what should have
// been noticed and was not is `unseen`.
Result restore(bool look);
// Pages in the range were given back to the kernel during the run.
void note_discarded(std::uintptr_t begin, std::uintptr_t end);

// Whether what is mapped is what was, but for the first stack, which may have grown.
bool same_mappings();

// Pages that are put back after each run.
std::uint32_t hot_pages();

}  // namespace raddle::runtime::snapshot
