// SPDX-License-Identifier: Apache-2.0
//
// The sharing filter. Target side.
//
// Two accesses conflict here when their bytes overlap, one writes, and no thread creation or join
// that the runtime has seen orders them. Happens-before through locks is the race detector's
// business (race.h), not the filter's: data protected by a lock is shared data.
#include "runtime/sharing.h"

#include <string.h>

#include "runtime/emit.h"
#include "runtime/heap.h"
#include "runtime/own_access.h"
#include "runtime/process_end.h"

namespace raddle::runtime {
namespace {

bool conflicts(const Access& access, const Access& mine, const Fiber& me) {
  return (access.mask() & mine.mask()) != 0 && !same_actor(access, mine) && !access.has(kAtomic) &&
         !ordered_before_me(access, me);
}

// The same access as `mine`, whatever became of it.
bool repeats(const Access& access, const Access& mine) {
  return access.epoch() == mine.epoch() && same_actor(access, mine) &&
         access.mask() == mine.mask() && !access.has(kAtomic) &&
         (access.place == mine.place || site_of_place(access.place) == site_of_place(mine.place));
}

bool same_actor_or_none(const Access& access, const Access& mine) {
  return !access.any() || same_actor(access, mine);
}

// Shows a remembered access, unless that has been done.
void publish_remembered(Access& access, std::uintptr_t granule, std::uint8_t flags) {
  if (access.has(kPublished)) return;
  auto first = static_cast<unsigned>(__builtin_ctz(access.mask()));
  emit({.kind = access.has(kWrite) ? wire::OpKind::plain_write : wire::OpKind::plain_read,
        .size = static_cast<std::uint16_t>(__builtin_popcount(access.mask())),
        .site = site_of_place(access.place),
        .address = granule + first},
       access.thread(), 0,
       static_cast<std::uint8_t>(wire::kEventRemembered | flags |
                                 (access.has(kVague) ? wire::kEventVague : 0)));
  access.add_flags(kPublished | kShared);
}

// Sites of reads that have been told of in this run, as far as there is room.
constexpr unsigned kToldMax = 4096;
SiteId told[kToldMax];

// A read that its thread's own write came after: nobody can depend on it any more, but its site may
// be new to the engine.
void publish_overwritten(Access& read, std::uintptr_t granule) {
  SiteId site = site_of_place(read.place);
  if (told[site % kToldMax] == site) return read.add_flags(kPublished | kShared);
  told[site % kToldMax] = site;
  publish_remembered(read, granule, wire::kEventConflict);
}

// visit(access) for what others have done that is in the list and conflicts.
template <class Visit>
void for_each_listed(Cell& cell, const Access& mine, Visit visit) {
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next)
    if (Access& access = extra(i).access;
        (access.has(kWrite) || mine.has(kWrite)) && conflicts(access, mine, *g.current))
      visit(access);
}

// What the thread itself has done to the bytes before, unseen.
void publish_own(Cell& cell, std::uintptr_t granule, const Access& mine) {
  auto publish = [&](Access& access) {
    if ((access.mask() & mine.mask()) != 0 && same_actor(access, mine) && !access.has(kAtomic))
      publish_remembered(access, granule, 0);
  };
  bool read_first = cell.read.has(kSuperseded);
  if (read_first) publish(cell.read);
  publish(cell.write);
  if (!read_first) publish(cell.read);
}

// True if the access conflicts with what the cell remembers; publishes that, in its order. What the
// thread itself has done comes first: had the others come before, they would be known.
bool find_conflict(Cell& cell, std::uintptr_t granule, const Access& mine) {
  const Fiber& me = *g.current;
  bool is_write = mine.has(kWrite);
  bool with_write = conflicts(cell.write, mine, me);
  bool with_read = is_write && conflicts(cell.read, mine, me);
  bool with_listed =
      is_write && cell.read.has(kSeveralReaders) && (cell.read.mask() & mine.mask()) != 0;
  for_each_listed(cell, mine, [&](Access&) { with_listed = true; });
  if (!with_write && !with_read && !with_listed) return false;
  publish_own(cell, granule, mine);
  auto publish = [&](Access& access) { publish_remembered(access, granule, wire::kEventConflict); };
  for_each_listed(cell, mine, publish);
  bool reader_counts = with_read || (with_write && conflicts(cell.read, mine, me));
  bool read_first = cell.read.has(kSuperseded);
  if (reader_counts && read_first) {
    if (with_write && same_actor(cell.read, cell.write))
      publish_overwritten(cell.read, granule);
    else
      publish(cell.read);
  }
  if (with_write) publish(cell.write);
  if (reader_counts && !read_first) publish(cell.read);
  return true;
}

// The same where accesses are only checked: publishes what is not ordered before the current
// thread.
bool find_unordered(Cell& cell, std::uintptr_t granule, const Access& mine) {
  bool found = false;
  auto look_at = [&](Access& access) {
    bool unordered = (access.mask() & mine.mask()) != 0 && !access.has(kSuperseded) &&
                     !happened_before_current(access);
    if (unordered && !access.has(kAtomic))
      publish_remembered(access, granule, wire::kEventConflict);
    found |= unordered;
  };
  look_at(cell.write);
  look_at(cell.read);
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next) look_at(extra(i).access);
  return found;
}

// All there is happened before the current thread: nothing is unordered.
bool is_all_seen(const Cell& cell) {
  return cell.extra == 0 && happened_before_current(cell.write) &&
         happened_before_current(cell.read);
}

// The same of all bytes of a small block, as most are.
bool is_all_seen(std::uintptr_t address, std::size_t size) {
  constexpr std::size_t kSmall = 1024;
  if (size > kSmall) return false;
  const Cell* end = &cell_of(address + size + 7);
  for (const Cell* cell = &cell_of(address); cell != end; ++cell)
    if (!is_all_seen(*cell)) return false;
  return true;
}

// An access that leaves its slot and still matters goes to the list.
void retire(Cell& cell, const Access& earlier, const Access& mine) {
  if (!g.races || !earlier.any() || earlier.has(kSuperseded) || takes_place_of(mine, earlier))
    return;
  Access rest = earlier;
  Access covered = earlier;
  covered.drop_bytes(static_cast<std::uint8_t>(~mine.mask()));
  if (takes_place_of(mine, covered)) rest.drop_bytes(mine.mask());
  add_extra(cell, rest);
}

// The accesses of one thread in one epoch to different bytes of a granule are one.
bool merges(const Access& earlier, const Access& mine) {
  return same_actor(earlier, mine) && earlier.epoch() == mine.epoch() &&
         site_of_place(earlier.place) == site_of_place(mine.place) && !earlier.has(kAtomic);
}

void store_write(Cell& cell, const Access& mine, std::uint8_t published) {
  // Others' reads between the two writes have seen one of them only.
  bool read_between = cell.extra != 0 || (cell.read.any() && !cell.read.has(kSuperseded) &&
                                          !same_actor(cell.read, mine));
  if (merges(cell.write, mine) && !read_between) {
    cell.write.add_bytes(mine.mask());
    cell.write.add_flags(published);
  } else {
    retire(cell, cell.write, mine);
    cell.write = mine;
    cell.write.add_flags(published);
  }
  if (g.races && stands_for(mine, cell.read)) cell.read.add_flags(kSuperseded);
  cell.read.drop_flags(kSeveralReaders);
  // Others' reads that are events already have nothing more to tell: the bytes are the writer's.
  bool is_over = cell.read.has(kSuperseded) && cell.read.has(kPublished);
  if (is_over && !same_actor(cell.read, mine)) cell.read = {};
}

void store_read(Cell& cell, const Access& mine, std::uint8_t published) {
  const Fiber& me = *g.current;
  bool other_reader = cell.read.any() && !same_actor(cell.read, mine);
  // Until somebody writes, the first reader is the one worth remembering.
  bool keep_first = other_reader && published == 0 && !ordered_before_me(cell.read, me);
  if (keep_first) {
    cell.read.add_flags(kSeveralReaders);
    if (g.races) add_extra(cell, mine);
  } else if (merges(cell.read, mine)) {
    cell.read.add_bytes(mine.mask());
    cell.read.add_flags(published);
    cell.read.drop_flags(kSuperseded);
  } else {
    retire(cell, cell.read, mine);
    cell.read = mine;
    cell.read.add_flags(published);
  }
  if (published != 0 && cell.write.any()) cell.write.add_flags(kShared);
}

// Updates one cell; true if the access must be published. Sets *conflict if it is one.
bool update_cell(std::uintptr_t granule, const Access& mine, const NewAccess& access, bool is_point,
                 bool* conflict) {
  Cell& cell = cell_of(granule);
  if (__builtin_expect((cell.poison & mine.mask()) != 0, 0))
    report_heap_access(access.address, access.size, mine.has(kWrite), access.site);
  if (g.epoch_floor != 0) drop_earlier_runs(cell, g.epoch_floor);
  bool is_write = mine.has(kWrite);
  const Access& same = is_write ? cell.write : cell.read;
  const Access& opposite = is_write ? cell.read : cell.write;
  bool repeated = repeats(same, mine) && same_actor_or_none(opposite, mine);
  if (repeated && cell.extra == 0 && !is_point) return false;
  if (!is_write && cell.extra != 0 && !is_point && reads_again(cell, mine)) return false;
  if (g.races) check_cell(cell, granule, mine, access);
  bool shared = is_point || ((cell.write.flags() | cell.read.flags()) & kShared) != 0;
  if (find_conflict(cell, granule, mine)) *conflict = shared = true;
  if (shared) publish_own(cell, granule, mine);
  if (g.races && cell.extra != 0) prune_extras(cell, mine);
  std::uint8_t published = shared ? kPublished | kShared : 0;
  if (is_write)
    store_write(cell, mine, published);
  else
    store_read(cell, mine, published);
  return published != 0 && !repeated;
}

}  // namespace

void forget_told_reads() { memset(told, 0, sizeof told); }

namespace {

// Whether the code there frees in full view: no library on the way to it could know of an order
// that is not seen. What lies below the first frame has started the thread, or ends the process.
bool frees_in_view(std::uintptr_t pc) {
  const Fiber& me = *g.current;
  if (code_kind(pc) != CodeKind::instrumented) return false;
  for (const ShadowFrame* frame = me.top; frame-- > me.frames + 1 && !begins_the_end(frame);)
    if (code_kind(frame->return_address) == CodeKind::foreign) return false;
  return true;
}

}  // namespace

void observe_free(std::uintptr_t address, std::size_t size, std::uintptr_t pc, bool is_point,
                  bool shares_objects) {
  constexpr unsigned kConflictsMax = 512;  // of a large block these are enough
  bool looked_at = publishing() || g.races;
  if (!looked_at || !running()) return;
  if (!publishing() && !is_point && !shares_objects && is_all_seen(address, size)) return;
  unsigned conflicts = shares_objects ? 1 : 0;
  bool published = is_point;
  const Fiber& me = *g.current;
  Access mine = make_access(me.epoch, me.id, 0, kWrite, 0);
  NewAccess access{address, size, site_of(pc), kWrite, true};
  bool races = g.races && frees_in_view(pc);
  for_each_touched_part(address, size, [&](std::uintptr_t part, std::size_t part_size) {
    for_each_granule(part, part_size, [&](std::uintptr_t granule, std::uint8_t mask) {
      if (conflicts == kConflictsMax) return;
      mine.set_bytes(mask);
      Cell& cell = cell_of(granule);
      if (!publishing() && is_all_seen(cell)) return;
      if (g.epoch_floor != 0) drop_earlier_runs(cell, g.epoch_floor);
      if (races) check_cell(cell, granule, mine, access);
      conflicts +=
          publishing() ? find_conflict(cell, granule, mine) : find_unordered(cell, granule, mine);
      published |= cell.write.has(kShared) || cell.read.has(kShared);
    });
  });
  if ((conflicts == 0 && !published) || !g.site_points) return;
  emit({.kind = wire::OpKind::memory_free,
        .size = static_cast<std::uint16_t>(size < 0xffff ? size : 0xffff),
        .site = site_of(pc),
        .address = address},
       me.id, 0,
       static_cast<std::uint8_t>((is_point ? g.event_flags : 0) |
                                 (conflicts != 0 ? wire::kEventConflict : 0)));
}

void observe_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site,
                    bool is_point) {
  const Fiber& me = *g.current;
  bool ignored = is_ignored(me, is_write);
  if (ignored && !is_point) return lose_access();
  check_owned(address, size, is_write, site);
  NewAccess access{address, size, site, static_cast<std::uint8_t>(is_write ? kWrite : 0)};
  bool publish = is_point;
  bool conflict = false;
  Access mine = current_access(access, 0);
  if (!ignored)
    for_each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
      mine.set_bytes(mask);
      publish |= update_cell(granule, mine, access, is_point, &conflict);
    });
  if (!publish) return;
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(address), size < 8 ? size : 8);
  std::uint8_t flags = is_point ? g.event_flags : 0;
  emit({.kind = is_write ? wire::OpKind::plain_write : wire::OpKind::plain_read,
        .size = static_cast<std::uint16_t>(size < 0xffff ? size : 0xffff),
        .site = site,
        .address = address},
       g.current->id, value,
       static_cast<std::uint8_t>(flags | (conflict ? wire::kEventConflict : 0)));
}

}  // namespace raddle::runtime
