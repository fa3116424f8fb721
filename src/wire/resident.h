// SPDX-License-Identifier: Apache-2.0
//
// Resident runs: what engine and target tell each other about a process that carries out one run
// after the other, and puts its memory back in between. Both sides. src/runtime/resident.h says how
// it works, src/launch/residence.h when it is used.
#pragma once

#include <atomic>
#include <cstdint>

namespace raddle::wire {

inline constexpr unsigned kResidentAddressMax = 16;

// Why a resident process ends after a run: what that run did cannot be undone. The next run starts
// from a fresh fork.
enum class ResidentEnd : std::uint32_t {
  none,           // it stays
  unsupported,    // the kernel does not say which pages were written
  too_large,      // there is no room for a second copy of its memory
  children,       // child processes
  libraries,      // libraries loaded
  signals,        // signals from other processes
  kernel_state,   // users, priorities and the like
  raw_calls,      // system calls that the runtime does not know
  mappings,       // memory mapped, unmapped or protected in a way that cannot be undone
  descriptors,    // files that cannot be put back
  unseen_memory,  // memory had changed unseen: found by looking at all of it
  unseen_state,   // what the kernel keeps had changed unseen
};

// What it says of a run; the first time, of itself.
struct ResidentReply {
  std::int32_t wait_status;  // as if the process had ended
  ResidentEnd end;
  std::uint32_t lasting;  // not 0: the run has changed files, or asked which process it is
  std::uint32_t pages;    // that are put back after each run
};

// Engine and resident process hand each other the turn by two numbers in the shared memory. Whoever
// waits may do so in a loop for a moment; then he says that he sleeps, and gets a byte through the
// socket (turn.h).
struct ResidentArea {
  // Written by the engine, once.
  std::uint8_t address_size;
  char address[kResidentAddressMax];  // of the engine's socket, an abstract one
  std::uint8_t reserved[3];

  std::uint32_t spins;                 // written by the engine: waiting in a loop is worth while
  std::atomic<std::uint32_t> ordered;  // the number of the last run that the engine wanted
  std::atomic<std::uint32_t> ended;    // of the last one that has ended; its reply is there
  std::atomic<std::uint32_t> engine_sleeps;
  std::atomic<std::uint32_t> program_sleeps;
  std::atomic<std::uint32_t> restoring;  // the run is over, and memory is being put back
  ResidentReply reply;
};
static_assert(sizeof(ResidentArea) == 60);

}  // namespace raddle::wire
