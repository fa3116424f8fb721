// SPDX-License-Identifier: Apache-2.0
//
// Judging and reporting races. Target side. See race.h.
#include "runtime/race.h"

#include <string.h>

#include "runtime/context.h"
#include "runtime/emit.h"
#include "runtime/heap.h"
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
  if (pair_count == kPairsMax) return true;
  pairs[pair_count++] = {here, there};
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

bool happened_before_me(const Access& access) {
  const Fiber& me = *g.current;
  return access.thread == me.id || access.epoch <= me.clock.of(access.thread);
}

bool races(const Access& earlier, const Access& mine) {
  return (earlier.mask & mine.mask) != 0 && !earlier.has(kSuperseded) &&
         (earlier.has(kWrite) || mine.has(kWrite)) &&
         !(earlier.has(kAtomic) && mine.has(kAtomic)) && !happened_before_me(earlier);
}

std::uint8_t access_bits(std::uint8_t flags) {
  return static_cast<std::uint8_t>(((flags & kWrite) != 0 ? wire::kRaceWrite : 0) |
                                   ((flags & kAtomic) != 0 ? wire::kRaceAtomic : 0));
}

void report(const Access& earlier, std::uintptr_t granule, const NewAccess& access) {
  if (accepted_count > 0 && is_accepted(access.address, access.size)) return;
  SiteId there = site_of_place(earlier.place);
  if (reported_before(access.site, there)) return;
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(access.address), access.size < 8 ? access.size : 8);
  emit({.kind = wire::OpKind::race,
        .order = access_bits(access.flags),
        .size = static_cast<std::uint16_t>(access.size < 0xffff ? access.size : 0xffff),
        .site = access.site,
        .address = access.address},
       g.current->id, value, wire::kEventConflict);
  auto first = static_cast<unsigned>(__builtin_ctz(earlier.mask));
  emit({.kind = wire::OpKind::race_with,
        .order = access_bits(earlier.flags),
        .size = static_cast<std::uint16_t>(__builtin_popcount(earlier.mask)),
        .site = there,
        .address = granule + first},
       earlier.thread, 0, wire::kEventConflict);
  if (g.record.stacks) emit_context(earlier.place, earlier.thread);
}

}  // namespace

void accept_races(std::uintptr_t address, std::size_t size) {
  if (accepted_count < kAcceptedMax) accepted[accepted_count++] = {address, size};
}

void check_cell(const Cell& cell, std::uintptr_t granule, const Access& mine,
                const NewAccess& access) {
  if (races(cell.write, mine)) report(cell.write, granule, access);
  if (mine.has(kWrite) && races(cell.read, mine)) report(cell.read, granule, access);
  for (std::uint32_t i = cell.extra; i != 0; i = extra(i).next)
    if (races(extra(i).access, mine)) report(extra(i).access, granule, access);
}

bool stands_for(const Access& mine, const Access& earlier) {
  if ((earlier.mask & ~mine.mask) != 0) return false;
  if (earlier.has(kWrite) && !mine.has(kWrite)) return false;
  if (mine.has(kAtomic) && !earlier.has(kAtomic)) return false;
  // Two atomic accesses never race; of a race that was reported one side is enough.
  return mine.has(kWrite) || earlier.thread == mine.thread || happened_before_me(earlier);
}

void prune_extras(Cell& cell, const Access& mine) {
  std::uint32_t first = cell.extra;
  std::uint32_t* link = &first;
  while (*link != 0) {
    std::uint32_t index = *link;
    if (!stands_for(mine, extra(index).access)) {
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
  for_each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
    Access mine = current_access(access, mask);
    Cell& cell = cell_of(granule);
    if ((cell.poison & mask) != 0) report_heap_access(address, size, is_write, site);
    check_cell(cell, granule, mine, access);
    if (cell.extra != 0) prune_extras(cell, mine);
    Access& slot = is_write ? cell.write : cell.read;
    // The sharing filter's memory of plain accesses stays where it is.
    if (slot.any() && !slot.has(kAtomic) && !stands_for(mine, slot))
      add_extra(cell, mine);
    else
      slot = mine;
  });
}

}  // namespace raddle::runtime
