// SPDX-License-Identifier: Apache-2.0
//
// Judging and reporting races. Target side. See race.h.
#include "runtime/race.h"

#include <string.h>

#include "runtime/context.h"
#include "runtime/debugger.h"
#include "runtime/emit.h"
#include "runtime/heap.h"
#include "runtime/own_access.h"
#include "runtime/quick_check.h"
#include "runtime/sharing.h"

namespace raddle::runtime {
namespace {

// Pairs of places already reported in this run.
constexpr unsigned kPairsMax = 512;
struct Pair {
  SiteId here, there;
} pairs[kPairsMax];
unsigned pair_count;

bool reported_before(SiteId here, SiteId there) {
  for (unsigned i = 0; i < pair_count; ++i)
    if ((pairs[i].here == here && pairs[i].there == there) ||
        (pairs[i].here == there && pairs[i].there == here))
      return true;
  return false;
}

constexpr unsigned kAcceptedMax = 256;
struct Range {
  std::uintptr_t address;
  std::size_t size;
} accepted[kAcceptedMax];
unsigned accepted_count;

bool is_accepted(std::uintptr_t address, std::size_t size) {
  for (unsigned i = 0; i < accepted_count; ++i)
    if (address < accepted[i].address + accepted[i].size && accepted[i].address < address + size)
      return true;
  return false;
}

inline bool happened_before_me(const Access& access) {
  const Fiber& me = *g.current;
  return access.thread() == me.id || access.epoch() <= g.epoch_floor ||
         access.epoch() <= me.clock.of(access.thread());
}

// Whether two accesses are of kinds that race when neither happened before the other.
inline bool may_race(const Access& a, const Access& b) {
  return ((a.flags() | b.flags()) & kWrite) != 0 && (a.flags() & b.flags() & kAtomic) == 0;
}

bool races(const Access& earlier, const Access& mine) {
  return (earlier.mask() & mine.mask()) != 0 && !earlier.has(kSuperseded) &&
         may_race(earlier, mine) && !happened_before_me(earlier);
}

// Whether `mine` stands for the earlier access as far as their bytes are common. Two atomic
// accesses never race; of a race that was reported one side is enough.
inline bool replaces(const Access& mine, const Access& earlier, bool happened_before) {
  if (earlier.has(kWrite) && !mine.has(kWrite)) return false;
  if (mine.has(kAtomic) && !earlier.has(kAtomic)) return false;
  return mine.has(kWrite) || happened_before;
}

std::uint8_t wire_flags(std::uint8_t flags) {
  return static_cast<std::uint8_t>(((flags & kWrite) != 0 ? wire::kRaceWrite : 0) |
                                   ((flags & kAtomic) != 0 ? wire::kRaceAtomic : 0));
}

// What the bytes of a remembered access hold. Who wrote them last is remembered, so that is what
// the access left or found there. Not known of a part of what was accessed, beside atomic accesses,
// and where the first access of an epoch stands for later ones.
bool known_value(const Access& earlier, std::uintptr_t granule, const NewAccess& access,
                 std::uint64_t* value) {
  auto first = static_cast<unsigned>(__builtin_ctz(earlier.mask()));
  auto size = static_cast<unsigned>(__builtin_popcount(earlier.mask()));
  if (granule + first != access.address || size != access.size || !publishing()) return false;
  const Cell& cell = cell_of(granule);
  if (earlier.has(kAtomic) || cell.write.has(kAtomic) || cell.read.has(kAtomic)) return false;
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next)
    if (extra(i).access.has(kAtomic)) return false;
  memcpy(value, reinterpret_cast<const void*>(access.address), size);
  return true;
}

// A race that is none to the user, between places that a search should know.
void note_accepted(const Access& earlier, SiteId there, std::uintptr_t bytes,
                   const NewAccess& access) {
  auto note = [](bool writes, SiteId site, std::uintptr_t address, ThreadId thread) {
    emit({.kind = writes ? wire::OpKind::plain_write : wire::OpKind::plain_read,
          .site = site,
          .address = address},
         thread, 0, wire::kEventRemembered | wire::kEventConflict);
  };
  note(earlier.has(kWrite), there, bytes, earlier.thread());
  note((access.flags & kWrite) != 0, access.site, access.address, g.current->id);
}

__attribute__((noinline, cold)) void report(const Access& earlier, std::uintptr_t granule,
                                            const NewAccess& access) {
  SiteId there = site_of_place(earlier.place);
  auto first = static_cast<unsigned>(__builtin_ctz(earlier.mask()));
  if (accepted_count > 0 && is_accepted(access.address, access.size)) {
    if (!publishing()) note_accepted(earlier, there, granule + first, access);
    return;
  }
  if (reported_before(access.site, there)) return;
  if (pair_count == kPairsMax) {  // no room for more
    bool known = is_point_site(access.site) && is_point_site(there);
    if (!known && !publishing()) note_accepted(earlier, there, granule + first, access);
    return;
  }
  pairs[pair_count++] = {access.site, there};
  // Of a long range, where the two meet.
  std::uintptr_t address = access.address;
  if (access.size > 16 && granule + first > address) address = granule + first;
  std::size_t size = access.address + access.size - address;
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(address), size < 8 ? size : 8);
  emit({.kind = wire::OpKind::race,
        .order = static_cast<std::uint8_t>(wire_flags(access.flags) |
                                           (access.frees ? wire::kRaceFree : 0)),
        .size = static_cast<std::uint16_t>(size < 0xffff ? size : 0xffff),
        .site = access.site,
        .address = address},
       g.current->id, value,
       static_cast<std::uint8_t>(wire::kEventConflict |
                                 (g.access_made ? wire::kEventRemembered : 0)));
  std::uint64_t left = 0;
  bool known = !g.access_made && known_value(earlier, granule, access, &left);
  emit({.kind = wire::OpKind::race_with,
        .order = wire_flags(earlier.flags()),
        .size = static_cast<std::uint16_t>(__builtin_popcount(earlier.mask())),
        .site = there,
        .address = granule + first},
       earlier.thread(), left,
       static_cast<std::uint8_t>(wire::kEventConflict | (known ? 0 : wire::kEventRemembered)));
  if (g.record.stacks) emit_context(earlier.place, earlier.thread());
  raddle_debug_race();
}

// Judges one remembered access; it loses the bytes that `mine` stands for.
inline void meet(Access& earlier, std::uintptr_t granule, const Access& mine,
                 const NewAccess& access) {
  if ((earlier.mask() & mine.mask()) == 0) return;
  bool before = happened_before_me(earlier);
  if (__builtin_expect(!before, 0) && may_race(earlier, mine)) report(earlier, granule, access);
  if (replaces(mine, earlier, before)) earlier.drop_bytes(mine.mask());
}

// The plain accesses of one thread in one epoch and at one site are one.
inline bool continues(const Access& earlier, const Access& mine) {
  constexpr std::uint64_t kMask = std::uint64_t{0xff} << Access::kMaskBit;
  return ((earlier.bits ^ mine.bits) & ~kMask) == 0 && !mine.has(kAtomic) &&
         (earlier.place == mine.place || site_of_place(earlier.place) == site_of_place(mine.place));
}

// The same for the list. `mine` takes over what it continues.
__attribute__((noinline)) void meet_extras(Cell& cell, std::uintptr_t granule, Access& mine,
                                           const NewAccess& access) {
  const Access met = mine;
  std::uint32_t first = cell.extra;
  for (std::uint32_t* link = &first; *link != 0;) {
    std::uint32_t index = *link;
    Access& earlier = extra(index).access;
    meet(earlier, granule, met, access);
    if (continues(earlier, mine)) {
      mine.add_bytes(earlier.mask());
    } else if (earlier.any()) {
      link = &extra(index).next;
      continue;
    }
    *link = extra(index).next;
    free_extra(index);
  }
  cell.extra = first & 0xffffff;
}

// Whether every thread that is left has seen the access, so that nothing can race with it any more.
bool is_over(const Access& access) {
  constexpr ThreadId kThreadsLookedAt = 16;
  if (access.epoch() <= g.epoch_floor) return true;
  if (g.thread_count > kThreadsLookedAt) return false;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    if (fiber.state == FiberState::alive && id != access.thread() &&
        access.epoch() > fiber.clock.of(access.thread()))
      return false;
  }
  return true;
}

// Both places of the cell are taken.
__attribute__((noinline)) void remember_elsewhere(Cell& cell, const Access& mine) {
  if (is_over(cell.write))
    cell.write = mine;
  else if (is_over(cell.read))
    cell.read = mine;
  else
    add_extra(cell, mine);
}

// Of an earlier run, or none.
inline bool is_of_no_concern(const Access& access) {
  return !access.any() || access.epoch() <= g.epoch_floor;
}

inline bool differ_in_epoch_only(const Access& a, const Access& b) {
  return (a.bits ^ b.bits) >> Access::kThreadBit == 0;
}

// Two atomic accesses do not race, and a later write stands for an earlier one.
inline bool follows_atomic(const Access& earlier, const Access& mine) {
  constexpr std::uint8_t kBoth = kAtomic | kWrite;
  return (mine.flags() & kBoth) == kBoth && (earlier.flags() & kAtomic) != 0 &&
         (earlier.mask() & ~mine.mask()) == 0;
}

// The place for a new access that nothing remembered could race with, as nearly all are: nobody
// else has been here in this run, or before the thread's last look at him. Null if it takes more
// thought. Requires: the cell has no list.
__attribute__((always_inline)) inline Access* undisturbed_slot(Cell& cell, const Access& mine) {
  bool first_free = is_of_no_concern(cell.write), second_free = is_of_no_concern(cell.read);
  if (second_free) {
    cell.read.bits = 0;
    if (first_free || differ_in_epoch_only(cell.write, mine) || follows_atomic(cell.write, mine))
      return &cell.write;
    return nullptr;
  }
  if (differ_in_epoch_only(cell.read, mine) && (first_free || happened_before_me(cell.write)))
    return &cell.read;
  if (differ_in_epoch_only(cell.write, mine) && happened_before_me(cell.read)) return &cell.write;
  return nullptr;
}

// Checks an access and remembers it. Both places of the cell are for any access here.
__attribute__((always_inline)) inline void check_and_remember(std::uintptr_t granule, Access mine,
                                                              const NewAccess& access) {
  Cell& cell = cell_of(granule);
  if (__builtin_expect((cell.poison & mine.mask()) != 0, 0))
    report_heap_access(access.address, access.size, mine.has(kWrite), access.site);
  if (cell.extra == 0)
    if (Access* slot = undisturbed_slot(cell, mine)) {
      *slot = mine;
      return;
    }
  meet(cell.write, granule, mine, access);
  meet(cell.read, granule, mine, access);
  if (__builtin_expect(cell.extra != 0, 0)) meet_extras(cell, granule, mine, access);
  if (continues(cell.write, mine))
    cell.write.add_bytes(mine.mask());
  else if (continues(cell.read, mine))
    cell.read.add_bytes(mine.mask());
  else if (!cell.write.any())
    cell.write = mine;
  else if (!cell.read.any())
    cell.read = mine;
  else
    remember_elsewhere(cell, mine);
}

__attribute__((noinline)) void check_thoroughly(std::uintptr_t address, std::uint64_t bits,
                                                SiteId site) {
  const Fiber& me = *g.current;
  Access mine{bits, 0};
  bool is_write = mine.has(kWrite);
  if (is_ignored(me, is_write)) return lose_access();
  auto size = static_cast<std::size_t>(__builtin_popcount(mine.mask()));
  check_owned(address, size, is_write, site);
  mine.place = place_of(site);
  check_and_remember(address & ~std::uintptr_t{7}, mine, {address, size, site, mine.flags()});
}

}  // namespace

void check_in_company(std::uintptr_t address, std::uint64_t bits, SiteId site) {
  if (!check_quickly(address, bits, site)) check_thoroughly(address, bits, site);
}

void forget_reported_races() { pair_count = 0; }

void accept_races(std::uintptr_t address, std::size_t size) {
  for (unsigned i = 0; i < accepted_count; ++i)
    if (accepted[i].address == address && accepted[i].size == size) return;
  if (accepted_count < kAcceptedMax) accepted[accepted_count++] = {address, size};
}

void check_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  const Fiber& me = *g.current;
  if (is_ignored(me, is_write)) return lose_access();
  check_owned(address, size, is_write, site);
  NewAccess access{address, size, site, static_cast<std::uint8_t>(is_write ? kWrite : 0)};
  Access mine = current_access(access, 0);
  for_each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
    mine.set_bytes(mask);
    check_and_remember(granule, mine, access);
  });
}

void check_granule(std::uintptr_t address, std::uint64_t bits, SiteId site) {
  // The way of most needs no frame.
  if (!checks_quickly()) return check_thoroughly(address, bits, site);
  if (!repeats_own(address, bits, site)) check_in_company(address, bits, site);
}

bool make_room(Cell& cell) {
  if (g.thread_count != 2) return false;
  ThreadId me = g.current->id;
  const Fiber& other = g.fibers[1 - me];
  auto is_seen = [&](const Access& access) {
    return access.thread() == me &&
           (other.state != FiberState::alive || access.epoch() <= other.clock.of(me));
  };
  if (is_seen(cell.read)) return true;
  if (!is_seen(cell.write)) return false;
  cell.write = cell.read;
  return true;
}

void check_cell(const Cell& cell, std::uintptr_t granule, const Access& mine,
                const NewAccess& access) {
  if (races(cell.write, mine)) report(cell.write, granule, access);
  if (races(cell.read, mine)) report(cell.read, granule, access);
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next)
    if (races(extra(i).access, mine)) report(extra(i).access, granule, access);
}

bool stands_for(const Access& mine, const Access& earlier) {
  return (earlier.mask() & ~mine.mask()) == 0 &&
         replaces(mine, earlier, happened_before_me(earlier));
}

bool takes_place_of(const Access& mine, const Access& earlier) {
  bool told = mine.has(kWrite) || same_actor(mine, earlier) || earlier.has(kPublished) ||
              ordered_before_me(earlier, *g.current);
  return told && stands_for(mine, earlier);
}

bool happened_before_current(const Access& access) { return happened_before_me(access); }

void prune_extras(Cell& cell, const Access& mine) {
  std::uint32_t first = cell.extra;
  std::uint32_t* link = &first;
  while (*link != 0) {
    std::uint32_t index = *link;
    if (!takes_place_of(mine, extra(index).access)) {
      link = &extra(index).next;
      continue;
    }
    *link = extra(index).next;
    free_extra(index);
  }
  cell.extra = first & 0xffffff;
}

void observe_atomic(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  NewAccess access{address, size, site,
                   static_cast<std::uint8_t>(kAtomic | (is_write ? kWrite : 0))};
  check_owned(address, size, is_write, site);
  bool ignored = is_ignored(*g.current, is_write);
  for_each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
    if (ignored) {
      if ((cell_of(granule).poison & mask) != 0) report_heap_access(address, size, is_write, site);
      return;
    }
    Access mine = current_access(access, mask);
    if (!publishing()) return check_and_remember(granule, mine, access);
    Cell& cell = cell_of(granule);
    if ((cell.poison & mask) != 0) report_heap_access(address, size, is_write, site);
    if (g.epoch_floor != 0) drop_earlier_runs(cell, g.epoch_floor);
    check_cell(cell, granule, mine, access);
    if (cell.extra != 0) prune_extras(cell, mine);
    for (Access* access : {&cell.write, &cell.read})
      if (access->any()) access->add_flags(kShared);  // own_access.h goes by it
    Access& slot = is_write ? cell.write : cell.read;
    // The sharing filter's memory of plain accesses stays where it is.
    if (slot.any() && !slot.has(kAtomic) && !stands_for(mine, slot))
      add_extra(cell, mine);
    else
      slot = mine;
  });
}

}  // namespace raddle::runtime
