// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks (Fidge, Mattern 1988): for every thread, up to which of its epochs something has
// been seen. Target side. Entries beyond a clock's size are 0. Storage comes from a region of its
// own and is recycled by size; a clock that is all zero bytes is a valid empty one.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace raddle::runtime {

struct Clock {
  std::uint32_t* entries;
  std::uint32_t size;      // entries in use
  std::uint32_t capacity;  // a power of two, or 0

  std::uint32_t of(ThreadId thread) const { return thread < size ? entries[thread] : 0; }
  bool empty() const { return size == 0; }
};

void init_clocks();

void set_entry(Clock& clock, ThreadId thread, std::uint32_t epoch);
// The least clock that is at least both; kept in `to`.
void join_clock(Clock& to, const Clock& from);
void copy_clock(Clock& to, const Clock& from);
inline void clear_clock(Clock& clock) { clock.size = 0; }
// Gives the storage back.
void release_clock(Clock& clock);

}  // namespace raddle::runtime
