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
// region and use no libc, since libc's memory is a part of what is put back. The exceptions are
// those that a run itself calls, which say so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::runtime::snapshot {

enum class Result : std::uint8_t {
  done,
  unsupported,  // the kernel cannot tell
  too_large,    // no room for the copy
  mappings,     // memory is mapped in a way that cannot be undone
  unseen,       // restore() had missed something
};

// Reserves the region; false if there is no room. Before all others, on any stack.
bool reserve();
// The end of the stack that the following have to run on.
std::uintptr_t stack_end();

Result take();

// Whether the run has touched memory for the first time, or given some back.
bool is_disturbed();

struct How {
  bool disturbed;  // as is_disturbed() said
  bool mapped;     // something was mapped, unmapped or protected
  bool look;       // at all pages and mappings, whether something was noticed or not
  bool compare;    // every page with its copy, afterwards
};
// The run is over. What should have been noticed and was not is `unseen`.
Result restore(How how);

// The bytes at this address are the kernel's, and change as it likes.
void except(std::uintptr_t address, std::size_t size);

// During a run, on any stack: clears the pages of the range that are there, so that it reads as
// zero. False: there are too many of them.
bool clear(std::uintptr_t begin, std::uintptr_t end);
// Pages in the range were given back to the kernel, or replaced.
void note_discarded(std::uintptr_t begin, std::uintptr_t end);
// Protections in the range were changed.
void note_protected(std::uintptr_t begin, std::uintptr_t end);

// Pages that are put back after each run.
std::uint32_t hot_pages();

}  // namespace raddle::runtime::snapshot
