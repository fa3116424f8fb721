// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks (Fidge, Mattern 1988): for every thread, up to which of its epochs something has
// been seen. Target side. Entries beyond a clock's size are 0. Storage comes from a region of its
// own and is recycled by size; a clock that is all zero bytes is a valid empty one. invariant:
// there is room for four entries at least if for any, and those beyond `size` are 0, so that the
// clocks of few threads are joined by one instruction.
#pragma once

#include <emmintrin.h>
#include <smmintrin.h>

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

inline constexpr std::uint32_t kFewThreads = 4;

// The same for any number of threads.
void set_far_entry(Clock& clock, ThreadId thread, std::uint32_t epoch);
void join_long_clock(Clock& to, const Clock& from);

inline void set_entry(Clock& clock, ThreadId thread, std::uint32_t epoch) {
  if (__builtin_expect(thread >= clock.size, 0)) return set_far_entry(clock, thread, epoch);
  clock.entries[thread] = epoch;
}

// The least clock that is at least both; kept in `to`.
inline void join_clock(Clock& to, const Clock& from) {
  if (from.size == 0) return;
  if (from.size > kFewThreads || to.capacity == 0) return join_long_clock(to, from);
  auto* target = reinterpret_cast<__m128i*>(to.entries);
  auto* source = reinterpret_cast<const __m128i*>(from.entries);
  _mm_store_si128(target, _mm_max_epu32(_mm_load_si128(target), _mm_load_si128(source)));
  if (to.size < from.size) to.size = from.size;
}

void copy_clock(Clock& to, const Clock& from);
void clear_clock(Clock& clock);
// Gives the storage back.
void release_clock(Clock& clock);

}  // namespace raddle::runtime
