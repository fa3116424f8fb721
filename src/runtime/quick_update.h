// SPDX-License-Identifier: Apache-2.0
//
// The short way of the race detector for an atomic read-modify-write that acquires and releases, as
// most do, for runs of which only the end is wanted (checks_quickly()). Target side; inline. The
// long way is race_atomic(): whatever is not plain here is left to it, untouched.
#pragma once

#include "runtime/access.h"
#include "runtime/quick_check.h"
#include "runtime/shadow.h"

namespace raddle::runtime {

// Orders what the current thread's update orders, and checks it against plain accesses to the same
// bytes: the thread's clock and the location's become the same, and the update stands for all
// atomic accesses before it. False, and nothing done, if it takes more than that.
__attribute__((always_inline)) inline bool race_quick_update(std::uintptr_t address,
                                                             std::size_t size, int order,
                                                             SiteId site) {
  static_assert(__ATOMIC_ACQ_REL < __ATOMIC_SEQ_CST && __ATOMIC_RELEASE < __ATOMIC_ACQ_REL);
  // With few threads every clock is of few.
  if (order < __ATOMIC_ACQ_REL || g.thread_count > kFewThreads) return false;
  Cell& cell = cell_of(address);
  LocationClock& there = location(cell.location);
  if (cell.location == 0 || there.offset != (address & 7)) return false;

  Fiber& me = *g.current;
  std::uint64_t mine = access_bits(address, size, true) | kAtomicBit;
  // In this run, so the memory is still there.
  auto stood_for = [&](const Access& earlier) {
    return (earlier.bits ^ mine) >> Access::kMaskBit == 0 && !is_vacant(earlier);
  };
  auto is_apart = [&](const Access& other) {
    return is_vacant(other) || (other.bits & mine & kByteBits) == 0;
  };
  if (!cell.is_plain() || is_fiber_stack(address)) return false;
  Access* place;
  if (stood_for(cell.write) && is_apart(cell.read))
    place = &cell.write;
  else if (stood_for(cell.read) && is_apart(cell.write))
    place = &cell.read;
  else if (is_vacant(cell.write) && is_apart(cell.read) && is_plain_to_see(address, cell))
    place = &cell.write;
  else
    return false;
  __m128i both = _mm_max_epu32(first_entries(me.clock), first_entries(there.clock));
  set_first_entries(me.clock, both);
  set_first_entries(there.clock, with_entry(both, me.lane, me.epoch));
  me.clock.size = there.clock.size = kFewThreads;
  there.head = me.id;
  advance_epoch(me);
  *place = {mine, site};
  return true;
}

}  // namespace raddle::runtime
