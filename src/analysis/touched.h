// SPDX-License-Identifier: Apache-2.0
//
// The bytes that an event touches, as granules of eight bytes with a mask each: what the analyses
// of orders between accesses are keyed by. Engine side; pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "wire/event.h"

namespace raddle::analysis {

// Of a larger access only so many bytes are looked at: a block that is freed, a long memcpy.
inline constexpr std::uint32_t kTouchedMax = 4096;

// Calls f(key, mask) for every granule; bit i of the mask is byte i. An access of no size, or an
// operation on an object, touches one byte.
template <class F>
void for_each_touched(const wire::Event& event, F f) {
  std::uint32_t size = std::clamp<std::uint32_t>(event.size, 1, kTouchedMax);
  std::uint64_t at = event.where.offset;
  std::uint64_t end = at + size;
  while (at < end) {
    std::uint64_t granule = at & ~std::uint64_t{7};
    std::uint64_t stop = std::min(end, granule + 8);
    unsigned mask = ((1u << (stop - at)) - 1) << (at - granule);
    f((std::uint64_t{event.where.region_id} << 32) | (granule & 0xffffffff),
      static_cast<std::uint8_t>(mask));
    at = stop;
  }
}

}  // namespace raddle::analysis
