// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks (Fidge, Mattern 1988): for every thread, up to which of its epochs something has
// been seen. Target side. Entries beyond a clock's size are 0. Those of the first four threads lie
// in the clock itself, so that the clocks of small tests are joined by one instruction; storage for
// the others comes from a region of its own and is recycled by size. A clock that is all zero bytes
// is a valid empty one.
#pragma once

#include <emmintrin.h>
#include <smmintrin.h>

#include <cstdint>

#include "base/ids.h"

namespace raddle::runtime {

inline constexpr std::uint32_t kFewThreads = 4;

struct alignas(16) Clock {
  std::uint32_t few[kFewThreads];
  std::uint32_t* more;     // entries of the other threads
  std::uint32_t size;      // entries in use, of all
  std::uint32_t capacity;  // of `more`: a power of two, or 0

  std::uint32_t of(ThreadId thread) const {
    if (__builtin_expect(thread < kFewThreads, 1)) return few[thread];
    return thread < size ? more[thread - kFewThreads] : 0;
  }
  bool empty() const { return size == 0; }
};

void init_clocks();

// The same for any number of threads.
void set_far_entry(Clock& clock, ThreadId thread, std::uint32_t epoch);
void join_far_entries(Clock& to, const Clock& from);

// The entries of the first threads as one value.
inline __m128i first_entries(const Clock& clock) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(clock.few));
}
inline void set_first_entries(Clock& clock, __m128i entries) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(clock.few), entries);
}
// All bits of one thread's place among them; none for threads that have no place there.
using Lane = __m128i;
inline Lane lane_of(ThreadId thread) {
  return _mm_cmpeq_epi32(_mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32(thread));
}
// They are written at once, since a part that is written alone and read again as a part of
// something wider has to wait for the caches.
inline __m128i with_entry(__m128i entries, Lane lane, std::uint32_t epoch) {
  return _mm_blendv_epi8(entries, _mm_set1_epi32(static_cast<int>(epoch)), lane);
}

inline void set_entry(Clock& clock, ThreadId thread, std::uint32_t epoch) {
  if (__builtin_expect(thread >= kFewThreads, 0)) return set_far_entry(clock, thread, epoch);
  set_first_entries(clock, with_entry(first_entries(clock), lane_of(thread), epoch));
  if (clock.size <= thread) clock.size = thread + 1u;
}

// The least clock that is at least both; kept in `to`.
__attribute__((always_inline)) inline void join_clock(Clock& to, const Clock& from) {
  set_first_entries(to, _mm_max_epu32(first_entries(to), first_entries(from)));
  if (__builtin_expect(from.size > kFewThreads, 0)) return join_far_entries(to, from);
  if (to.size < from.size) to.size = from.size;
}

void copy_clock(Clock& to, const Clock& from);
void clear_clock(Clock& clock);
// Gives the storage back.
void release_clock(Clock& clock);

}  // namespace raddle::runtime
