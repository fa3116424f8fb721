// SPDX-License-Identifier: Apache-2.0
//
// What functions of libc read and write on behalf of instrumented code, as ranges: the path of the
// __wrap_ functions (abi_memory.cc, abi_string.cc, abi_printf.cc, abi_buffers.cc) to the sharing
// filter, the race detector and the heap oracle. Target side.
//
// Each side of a call, what it reads and what it writes, is one access. The two have different
// sites, so that a copy from shared to private data is a point once: a read's site is one byte
// before the call's end, still inside the call's instruction.
#pragma once

#include <cstddef>

#include "runtime/access.h"

namespace raddle::runtime {

// Whether the accesses of the call are to be looked at. Counts the call, as a plain read is
// counted, if nothing more is wanted.
inline bool watched(std::uintptr_t pc) {
  if (g.access_mode == AccessMode::ignore) return false;
  if (tracking()) return true;
  if (__builtin_expect(--g.access_budget <= 0, 0)) tick(pc);
  return false;
}

inline constexpr std::uintptr_t kReadSide = 1;  // subtracted from the pc

// The call that returns to `pc` is about to read or write the range; perhaps a point. Ends the run
// if the range leaves its heap block or lies in a freed one.
void reads(const void* from, std::size_t size, std::uintptr_t pc);
void writes(const void* to, std::size_t size, std::uintptr_t pc);

// It has written the range, by a call that could tell only then what it writes. No point.
void has_written(const void* to, std::size_t size, std::uintptr_t pc);

// How many of the bytes a call may write without leaving their heap block.
std::size_t room_at(const void* to, std::size_t size);

// Whether writes() would let other threads run first.
bool write_is_point(std::uintptr_t pc);

// Reads whose length depends on what is read: another thread may change it at the point.
template <class Measure>
void reads_measured(const void* from, std::uintptr_t pc, Measure measure) {
  std::size_t size;
  do {
    size = measure();
    reads(from, size, pc);
  } while (publishing() && measure() > size);
}

template <class Measure>
void writes_measured(const void* to, std::uintptr_t pc, Measure measure) {
  std::size_t size;
  do {
    size = measure();
    writes(to, size, pc);
  } while (publishing() && measure() > size);
}

}  // namespace raddle::runtime

// Defines what instrumented code calls instead of a function of libc: the compiler wrapper links
// with --wrap (cc/raddle_link.options). The function itself is called by its name, so that one that
// the program defines, or that the runtime stands in front of, is the one that is called.
#define RADDLE_WRAP(result, name) RADDLE_EXPORT result __wrap_##name
