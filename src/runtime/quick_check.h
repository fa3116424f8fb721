// SPDX-License-Identifier: Apache-2.0
//
// The short way of the race detector, for runs of which only the end is wanted (checks_quickly()):
// nearly all accesses meet nothing that they could race with and find a free place in their cell.
// Target side; inline, because accesses are most of what a short run does. The long way is in
// race.cc and has the last word: whatever is not plain here is left to it, untouched.
//
// Deviation from the long way: an access that all threads have seen is forgotten as soon as its
// place is wanted, not only when there is no other. invariant: nothing can race with what is
// forgotten here, so a run has a race in the one way exactly if it has one in the other.
#pragma once

#include "runtime/race.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

namespace raddle::runtime {

inline constexpr std::uint64_t kByteBits = std::uint64_t{0xff} << Access::kMaskBit;
inline constexpr std::uint64_t kAtomicBit = std::uint64_t{kAtomic} << Access::kFlagsBit;
inline constexpr std::uint64_t kWriteBit = std::uint64_t{kWrite} << Access::kFlagsBit;

// What a place of a cell means to a new access.
enum class Place : std::uint8_t { free, taken, unclear };

// Of an earlier run, or none.
inline bool is_vacant(const Access& earlier) { return earlier.epoch() <= g.epoch_floor; }

// The thread's own access, of an earlier epoch, to the same bytes in the same way.
inline bool is_renewed(const Access& earlier, std::uint64_t mine) {
  return (earlier.bits ^ mine) >> Access::kThreadBit == 0;
}

// Branches are better here than arithmetic: most are foreseen, and the others overlap with the
// switch that made them hard to foresee.
__attribute__((always_inline)) inline Place place_for(const Access& earlier, std::uint64_t mine,
                                                      const Fiber& me) {
  if (is_vacant(earlier) || is_renewed(earlier, mine)) return Place::free;
  std::uint64_t bits = earlier.bits;
  ThreadId thread = earlier.thread();
  bool covered = (bits & ~mine & kByteBits) == 0;
  if (thread != me.id) {
    bool before = earlier.epoch() <= me.clock.of(thread);
    // All there are have seen it.
    if (before && g.thread_count == 2) return Place::free;
    if (!before) {
      bool apart = (bits & mine & kByteBits) == 0;
      if (!apart && (bits & mine & kAtomicBit) != 0) {
        if ((mine & kWriteBit) == 0) return Place::taken;
        return covered ? Place::free : Place::unclear;  // it loses some of its bytes
      }
      bool harmless = apart || ((bits | mine) & kWriteBit) == 0;
      return harmless ? Place::taken : Place::unclear;
    }
  }
  // It happened before: the new one stands for it if it is no weaker.
  bool weaker = (bits & ~mine & kWriteBit) != 0 || (~bits & mine & kAtomicBit) != 0;
  return covered && !weaker ? Place::free : Place::taken;
}

// check_quickly(), and the long way if that cannot tell.
__attribute__((noinline)) void check_in_company(std::uintptr_t address, std::uint64_t mine,
                                                SiteId site);

// Both places are taken: frees one if it is the thread's own and the other thread has seen it.
bool make_room(Cell& cell);

// Whether the shadow tells all there is to know about the access: nothing of the cell is in a list
// or poisoned, and the memory cannot have gone (as large blocks and stacks can).
inline bool is_plain_to_see(std::uintptr_t address, const Cell& cell) {
  return address - kLargeBase >= kStacksEnd - kLargeBase && cell.is_plain();
}

// What lies beside the thread's own access cannot race with another one like it.
inline bool is_harmless(const Access& other, std::uint64_t mine) {
  return is_vacant(other) || ((other.bits | mine) & kWriteBit) == 0 ||
         other.thread() == static_cast<ThreadId>(mine >> Access::kThreadBit);
}

// Whether the thread has done the same before, in this run or an earlier one, and nothing has
// happened since that matters; then it is remembered. Most accesses end here. That the cell still
// holds it shows that the memory has not gone, unless it is a stack. Requires: checks_quickly().
__attribute__((always_inline)) inline bool repeats_own(std::uintptr_t address, std::uint64_t mine,
                                                       SiteId site) {
  Cell& cell = cell_of(address);
  auto repeats = [&](const Access& own, const Access& other) {
    return is_renewed(own, mine) && cell.is_plain() && is_harmless(other, mine) &&
           !is_fiber_stack(address);
  };
  if (repeats(cell.write, cell.read)) {
    cell.write = {mine, site};
    return true;
  }
  if (!repeats(cell.read, cell.write)) return false;
  cell.read = {mine, site};
  return true;
}

// Whether nobody has touched any byte of the cell in this run.
inline bool is_first(std::uintptr_t address, const Cell& cell) {
  return is_vacant(cell.write) && is_vacant(cell.read) && is_plain_to_see(address, cell);
}
inline void remember_first(Cell& cell, std::uint64_t mine, SiteId site) {
  cell.write = {mine, site};
  cell.read.bits = 0;
}

// Whether the access races with nothing; then it is remembered. Otherwise nothing has been done.
__attribute__((always_inline)) inline bool check_quickly(std::uintptr_t address, std::uint64_t mine,
                                                         SiteId site) {
  const Fiber& me = *g.current;
  Cell& cell = cell_of(address);
  if (!is_plain_to_see(address, cell)) return false;
  Place first = place_for(cell.write, mine, me);
  Place second = place_for(cell.read, mine, me);
  if (first == Place::unclear || second == Place::unclear) return false;
  if (first == Place::free) {
    cell.write = {mine, site};
    if (second == Place::free) cell.read.bits = 0;
    return true;
  }
  if (second != Place::free && !make_room(cell)) return false;
  cell.read = {mine, site};
  return true;
}

}  // namespace raddle::runtime
