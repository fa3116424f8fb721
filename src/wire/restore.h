// SPDX-License-Identifier: Apache-2.0
//
// Restore: the global variables that are put back after every run of a unit test, as the engine,
// loaded into the test's process, describes them to the runtime. No part of the public API: both
// libraries come from one build.
//
// To know which bytes are variables of the program takes debug information. So the description is
// made in two steps: at first it is the program's writable memory, and only when some of that has
// changed the runtime asks which bytes of it are to be put back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::wire {

// Memory inside of one page, in words of eight bytes.
struct RestoredPiece {
  unsigned char* address;
  const unsigned char* then;  // what it was before the first run
  const unsigned char* mask;  // 0xff: a byte that is put back; null: not known yet
  std::uint32_t size;
  std::uint32_t watched;  // the runtime's own: it is looked at after every run
};

// A variable that referred to memory that is not put back (the heap's) when the first run began.
struct AnchoredVariable {
  std::uintptr_t begin, end;
};

enum class RestoreEnd : std::uint32_t {
  none,      // variables are put back
  anchored,  // a run has changed a variable that refers to memory that is not put back
  memory,    // runs leave too much memory allocated, to which nothing refers any more
};

struct Restore {
  RestoredPiece* pieces = nullptr;  // by address
  std::uint32_t piece_count = 0;
  bool known = false;                // pieces have masks
  bool small = false;                // all of them are looked at after every run
  std::uint32_t* watched = nullptr;  // the runtime's own: room for an index of every piece
  const AnchoredVariable* anchored = nullptr;  // by address
  std::uint32_t anchored_count = 0;
  // Called between two runs, at most once: has to make it known.
  void (*learn)(Restore& restore) = nullptr;
  void* context = nullptr;  // of learn
  // What came of it. Once it has ended, nothing is put back any more.
  RestoreEnd end = RestoreEnd::none;
  std::uintptr_t end_address = 0;  // that was changed, if anchored
};

}  // namespace raddle::wire

extern "C" {
// From now on, until null is given. Requires: between attach and detach (wire/batch.h).
void raddle_in_process_restore(raddle::wire::Restore* restore);
}
