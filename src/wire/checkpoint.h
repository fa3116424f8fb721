// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints: what engine and target tell each other about runs that are continued in the middle.
// Both sides. A checkpoint is a process forked from a run; it waits for the plan of another run
// that begins in the same way, and forks that (src/runtime/checkpoint.h).
#pragma once

#include <cstdint>

namespace raddle::wire {

inline constexpr unsigned kCheckpointAddressMax = 16;

// A part of the plan's hand-over, but no part of the plan: what a run does does not depend on it.
struct CheckpointOrder {
  std::uint64_t gap_ns;     // real time that passes between two, and before the first
  std::uint32_t left;       // how many the run may make
  std::uint8_t at_choices;  // before choices, too; else only before the first thread
  std::uint8_t address_size;
  char address[kCheckpointAddressMax];  // of the engine's socket, an abstract one
  std::uint16_t reserved;
};

// The first thing that a checkpoint sends: how much of the run lies before it.
struct CheckpointNote {
  std::uint64_t prefix_ns;  // real time since main
  std::uint64_t events;
  std::uint64_t output_bytes;
  std::uint64_t error_bytes;
  std::uint32_t choices;
  std::uint32_t before_threads;  // it serves every plan that looks at the same things
};

// In Reply::error: this checkpoint cannot serve the plan after all.
inline constexpr std::int32_t kDeclined = -1;

}  // namespace raddle::wire
