// SPDX-License-Identifier: Apache-2.0
//
// Resident runs: one process carries out one run after the other. Target side. All threads are
// fibers on one kernel thread, so a run's state is memory, and a little of the kernel's: at its end
// both are put back (snapshot.h, kernel_state.h), and the process waits for the next plan where it
// stood before main. That takes less time than a fork, however large the memory is.
//
// The fork server forks the process and stays beside it, for runs that are to be forked, and for
// the next resident process when this one ends: after a run that did something that cannot be
// undone (wire::ResidentEnd), which it says with the run's result, or with the run itself, if that
// kills it.
//
// invariants: a resident run is the forked run, byte for byte. Nothing of a run reaches the next
// one. Every end of a run comes through end_resident_run(): exit and its like after all handlers,
// _exit, verdicts.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "runtime/kernel_state.h"
#include "wire/resident.h"

namespace raddle::runtime {

// The resident process, as its parent knows it.
struct ResidentChild {
  pid_t process = -1;
  int status = 0;  // how it has ended, once it has been waited for

  // All children that have ended; `options` as waitpid has them.
  void reap_others(int options);
  // Waits for its end.
  int bury();
};

// Makes this process, just forked, a resident one. Returns again and again, each time at the
// beginning of a run; ends the process if it cannot be one.
void reside();

// Whether this is such a process, and not a child of one.
bool is_resident();

// The run is over, with the exit code `status`: never returns in a resident process, but at the
// beginning of the next run, from reside(). Returns at once in any other.
void end_resident_run(int status);
// The same from the last handler of exit(): writes out what streams hold, as libc would have next.
void end_resident_run_after_handlers(int status);

// The run has done something that cannot be undone: the process ends after it.
void end_residence(wire::ResidentEnd why);
// The kernel has put the frame of a signal onto a stack, by page faults that it does not count.
void note_signal_frame();
// The run has changed what the kernel keeps of the process, and what can be undone.
void note_change(KernelPart part);
// The same of memory that is mapped: it was given back or replaced; its protection was changed.
void note_discarded(const void* begin, std::size_t size);
void note_protected(const void* begin, std::size_t size);

// Makes pages read as zero from now on, and gives them back to the kernel where that is no loss.
void discard_pages(std::uintptr_t begin, std::uintptr_t size);

// Descriptors of the resident process itself, from `first` to before `end`: to the program they are
// not open. None in other processes.
struct OwnDescriptors {
  unsigned first, end;
};
OwnDescriptors own_descriptors();
inline bool is_own_descriptor(int file) {
  OwnDescriptors own = own_descriptors();
  return static_cast<unsigned>(file) - own.first < own.end - own.first;
}

// A run is over, and what comes now is no fault of its program.
bool is_restoring();
// Ends the process without a word about the run: the engine makes it again.
[[noreturn]] void give_up_residence();

}  // namespace raddle::runtime
