// SPDX-License-Identifier: Apache-2.0
//
// The short way of the sharing filter: accesses to bytes that nobody but the current thread has
// touched since they became its own. Target side; inline, because where shared data is looked for
// nearly all accesses end here. The long way is in sharing.cc and has the last word: whatever is
// not plain here is left to it, untouched.
//
// Such an access is no event. It takes its place in the cell, and when another thread comes it is
// published as a remembered one. So of all that a thread does to its own bytes between two visits
// of others, analyses see the last write and the last read, in their order: what others can depend
// on. No race is possible, either: everything remembered is the thread's own or was handed down to
// it at its creation.
//
// Deviation from the last ones: between two steps the first access to several bytes at once also
// stands for later ones to some of them; if those were elsewhere it is marked kVague.
#pragma once

#include "runtime/context.h"
#include "runtime/heap.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

namespace raddle::runtime {

// Whether the remembered access is ordered before everything the current thread does from its
// creation on (its creator did it earlier), or was made by a thread that the current one joined.
inline bool ordered_before_me(const Access& access, const Fiber& me) {
  const Fiber& other = g.fibers[access.thread()];
  if (other.joined_by == me.id && other.state != FiberState::alive) return true;
  return me.creator == other.id && access.epoch() <= me.created_epoch;
}

// Whether the access is ordered before everything that any thread does from now on: made when
// there was no other thread, or by one that the last thread left has joined. Nobody needs it.
inline bool is_history(const Access& access, const Fiber& me) {
  if (access.thread() == 0 && access.epoch() <= g.alone_epoch) return !access.has(kAtomic);
  return g.live_count == 1 && !access.has(kAtomic) && ordered_before_me(access, me);
}

namespace own {

inline constexpr std::uint64_t kBytes = std::uint64_t{0xff} << Access::kMaskBit;
inline constexpr std::uint64_t kEpoch = 0xffff'ffff;
inline constexpr std::uint64_t kShared64 = std::uint64_t{kShared} << Access::kFlagsBit;
// What is said of the bytes, not of who touches them.
inline constexpr std::uint64_t kKept = kShared64 | std::uint64_t{kSeveralReaders}
                                                       << Access::kFlagsBit;

// A plain access of the thread that `mine` is by, not in a signal handler.
inline bool is_own(const Access& access, std::uint64_t mine) {
  constexpr std::uint64_t kCompared = std::uint64_t{0xffff} << Access::kThreadBit |
                                      std::uint64_t{kAtomic | kInHandler | kSeveralReaders}
                                          << Access::kFlagsBit;
  return ((access.bits ^ mine) & kCompared) == 0;
}

// Its accesses are not like others: a signal handler's, or not to be looked at.
inline bool is_special(const Fiber& me) {
  return (me.in_handler | me.ignored_reads | me.ignored_writes) != 0;
}

// Nobody's but the thread's own. Shared data that was handed on by creation or join is not: who
// comes to it next is worth knowing.
inline bool is_no_others(const Access& access, std::uint64_t mine, const Fiber& me) {
  return !access.any() || is_own(access, mine) ||
         ((access.flags() & (kAtomic | kShared | kSeveralReaders)) == 0 &&
          ordered_before_me(access, me));
}

// Whether nobody has come unnoticed since the thread's own access of this kind: a thread that the
// bytes were handed down to marks nothing, as it cannot be exchanged with what was before it.
template <bool is_write>
__attribute__((always_inline)) inline bool is_undisturbed(const Cell& cell, std::uint64_t mine) {
  const Access& other = is_write ? cell.read : cell.write;
  bool nobody_else = !other.any() || is_own(other, mine);
  if (is_write || nobody_else) return nobody_else;
  // A later write that covers the read would have superseded it.
  return g.races && !other.has(kAtomic) && !cell.read.has(kSuperseded) &&
         (cell.read.bits & ~other.bits & kBytes) == 0;
}

// Puts `mine` where an earlier access of its kind is. False if that has to stay.
inline bool replace(Access& earlier, std::uint64_t mine, std::uint32_t place, const Fiber& me) {
  if ((earlier.bits & ~mine & kBytes) == 0 || (!is_own(earlier, mine) && is_history(earlier, me))) {
    earlier = {mine | (earlier.bits & kShared64), place};
    return true;
  }
  bool same_step = ((earlier.bits ^ mine) & kEpoch) == 0 && is_own(earlier, mine);
  if (!same_step) return false;
  bool same_site = earlier.place == place || site_of_place(earlier.place) == site_of_place(place);
  bool inside = (mine & ~earlier.bits & kBytes) == 0;
  if (!same_site && !inside) return false;
  earlier.bits |= mine & kBytes;
  earlier.drop_flags(kPublished | kSuperseded);
  if (!same_site) earlier.add_flags(kVague);
  return true;
}

inline bool remember_write(Cell& cell, std::uint64_t mine, std::uint32_t place, const Fiber& me) {
  if (!is_no_others(cell.write, mine, me) || !is_no_others(cell.read, mine, me)) return false;
  if (!replace(cell.write, mine, place, me)) return false;
  // Of a read that was handed down, all writes of the thread came later, not only the last one.
  std::uint64_t later = is_own(cell.read, mine) ? mine : cell.write.bits;
  if (cell.read.any() && (cell.read.bits & ~later & kBytes) == 0) cell.read.add_flags(kSuperseded);
  return true;
}

// A thread that has read the bytes since they were last written need not look at who wrote them.
inline bool has_read(const Cell& cell, std::uint64_t mine) {
  bool covered = (mine & ~cell.read.bits & kBytes) == 0;
  // A write that covers the read would have superseded it.
  bool later = (cell.read.bits & ~cell.write.bits & kBytes) != 0 || cell.write.has(kAtomic);
  return g.races && covered && is_own(cell.read, mine) && !cell.read.has(kSuperseded) && !later;
}

inline bool remember_read(Cell& cell, std::uint64_t mine, std::uint32_t place, const Fiber& me) {
  bool known = has_read(cell, mine) ||
               (is_no_others(cell.write, mine, me) && is_no_others(cell.read, mine, me));
  return known && replace(cell.read, mine, place, me);
}

// A further read by one of several readers since the last write: takes the place of its last one.
inline bool read_again(Access& earlier, const Access& write, const Access& mine) {
  // A write that covers the read would have superseded it, or have taken it from the list.
  bool later_write = (write.bits & mine.bits & kBytes) != 0 &&
                     ((earlier.bits & ~write.bits & kBytes) != 0 || write.has(kAtomic));
  bool same = same_actor(earlier, mine) && earlier.mask() == mine.mask() &&
              (earlier.flags() & (kWrite | kAtomic | kSuperseded)) == 0 && !later_write;
  if (!same) return false;
  earlier = {mine.bits | (earlier.bits & kKept), mine.place};
  return true;
}

}  // namespace own

// Whether the thread's last access of this kind was to the same bytes, and no other thread has come
// since that one could be exchanged with; then the new one takes its place. Most accesses end here.
// Otherwise nothing has been done. Requires: call stacks are not recorded.
//
// invariant: whoever comes to bytes that others have touched, and could be exchanged with them,
// marks what he finds (publish_remembered() and observe_atomic(): kShared).
template <bool is_write>
__attribute__((always_inline)) inline bool replace_own(Cell& cell, std::uint64_t mine,
                                                       SiteId site) {
  constexpr std::uint64_t kOrdered = std::uint64_t{kSuperseded} << Access::kFlagsBit;
  const Fiber& me = *g.current;
  Access& slot = is_write ? cell.write : cell.read;
  std::uint64_t different = (slot.bits ^ mine) & (is_write ? ~0ull : ~kOrdered);
  if (different >> Access::kThreadBit != 0 || !cell.is_plain() || own::is_special(me)) return false;
  if (!own::is_undisturbed<is_write>(cell, mine)) return false;
  slot = {mine, site};
  if (is_write && cell.read.any() && (cell.read.bits & ~mine & own::kBytes) == 0)
    cell.read.bits |= kOrdered;
  return true;
}

// The same if it was to more bytes, since the thread's last step: it stays, and stands for both.
template <bool is_write>
__attribute__((always_inline)) inline bool stands_for_own(Cell& cell, std::uint64_t mine,
                                                          SiteId site) {
  constexpr std::uint64_t kVague64 = std::uint64_t{kVague} << Access::kFlagsBit;
  constexpr std::uint64_t kCompared =
      ~(own::kBytes | kVague64 | std::uint64_t{kSuperseded} << Access::kFlagsBit);
  Access& slot = is_write ? cell.write : cell.read;
  bool inside = (mine & ~slot.bits & own::kBytes) == 0;
  if (!inside || ((slot.bits ^ mine) & kCompared) != 0) return false;
  if (!cell.is_plain() || own::is_special(*g.current)) return false;
  if (!own::is_undisturbed<is_write>(cell, mine)) return false;
  if (is_write && (cell.read.bits & ~mine & own::kBytes) == 0) return false;  // has to be ordered
  if (slot.place != site) slot.bits |= kVague64;
  if (!is_write && slot.has(kSuperseded)) slot.drop_flags(kSuperseded);
  return true;
}

// Both. `part`: others may have been to more bytes.
template <bool is_write>
__attribute__((always_inline)) inline bool add_to_own(Cell& cell, std::uint64_t mine, SiteId site,
                                                      bool part) {
  if (g.record.stacks) return false;
  return replace_own<is_write>(cell, mine, site) ||
         (part && stands_for_own<is_write>(cell, mine, site));
}

// The same for one of several threads that read what nobody writes.
inline bool reads_again(Cell& cell, const Access& mine) {
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next)
    if (const Access& other = extra(i).access;
        other.has(kWrite) && (other.mask() & mine.mask()) != 0)
      return false;
  if (own::read_again(cell.read, cell.write, mine)) return true;
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next)
    if (own::read_again(extra(i).access, cell.write, mine)) return true;
  return false;
}

// Remembers the current thread's access to bytes of one granule, if they are its own. Otherwise
// nothing has been done. `mine`: the access (shadow.h).
inline bool remember_own(std::uintptr_t address, std::uint64_t mine, bool is_write, SiteId site) {
  const Fiber& me = *g.current;
  Cell& cell = cell_of(address);
  if (g.epoch_floor != 0) drop_earlier_runs(cell, g.epoch_floor);
  if (!cell.is_plain() || own::is_special(me)) return false;
  if (is_dead_stack(address) || is_freed_large(address)) return false;
  std::uint32_t place = place_of(site);
  return is_write ? own::remember_write(cell, mine, place, me)
                  : own::remember_read(cell, mine, place, me);
}

}  // namespace raddle::runtime
