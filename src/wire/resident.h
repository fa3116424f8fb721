// SPDX-License-Identifier: Apache-2.0
//
// Resident runs: what engine and target tell each other about a process that carries out one run
// after the other, and puts its memory back in between. Both sides. src/runtime/resident.h says how
// it works, src/launch/residence.h when it is used.
#pragma once

#include <cstdint>

namespace raddle::wire {

inline constexpr unsigned kResidentAddressMax = 16;

// Where the resident process finds the engine.
struct ResidentOrder {
  std::uint8_t address_size;
  char address[kResidentAddressMax];  // of the engine's socket, an abstract one
  std::uint8_t reserved[7];
};
static_assert(sizeof(ResidentOrder) == 24);

// Why a resident process ends after a run: what that run did cannot be undone. The next run starts
// from a fresh fork.
enum class ResidentEnd : std::uint32_t {
  none,          // it stays
  unsupported,   // the kernel does not say which pages were written
  too_large,     // there is no room for a second copy of its memory
  children,      // child processes
  libraries,     // libraries loaded
  signals,       // signals from other processes
  kernel_state,  // limits, priorities and the like
  raw_calls,     // system calls that the runtime does not know
  mappings,      // memory mapped, unmapped or protected
  descriptors,   // inherited files closed
  unseen,        // memory had changed unseen: found by looking at all of it
};

// The first thing that it sends, and the answer to every run.
struct ResidentReply {
  std::int32_t wait_status;  // as if the process had ended
  ResidentEnd end;
  std::uint32_t lasting;  // not 0: the run has changed files, or asked which process it is
  std::uint32_t pages;    // that are put back after each run
};

}  // namespace raddle::wire
