// SPDX-License-Identifier: Apache-2.0
//
// Plain accesses: points where the plan wants them, the sharing filter everywhere. Target side.
#include "runtime/access.h"

#include <string.h>

#include "runtime/controller.h"
#include "runtime/emit.h"
#include "runtime/heap.h"
#include "runtime/locate.h"
#include "runtime/quick_check.h"
#include "runtime/quick_point.h"
#include "runtime/race.h"
#include "runtime/sharing.h"
#include "runtime/spin.h"

namespace raddle::runtime {
namespace {

std::uint64_t value_at(std::uintptr_t address, std::size_t size) {
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(address), size < 8 ? size : 8);
  return value;
}

// An access that would be a point if anybody else were still alive: no step, but an event.
void note_alone(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  if (g.thread_count == 1 || g.record.quiet) return;
  emit({.kind = is_write ? OpKind::plain_write : OpKind::plain_read,
        .size = static_cast<std::uint16_t>(size < 0xffff ? size : 0xffff),
        .site = site,
        .address = address},
       g.current->id, value_at(address, size), 0);
}

// Of all bytes of a range.
bool is_plain_to_see(std::uintptr_t address, std::size_t size) {
  const Cell* last = &cell_of(address + size - 1);
  for (const Cell* cell = &cell_of(address); cell != last; ++cell)
    if (!cell->is_plain()) return false;
  return runtime::is_plain_to_see(address, *last);
}

void check_plain(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  if (g.access_mode == AccessMode::alone && size != 0 && is_plain_to_see(address, size)) return;
  if (!checks_quickly()) return check_access(address, size, is_write, site);
  std::uint64_t bytes_apart = access_bits(0, 0, is_write);
  for_each_granule(address, size, [&](std::uintptr_t granule, std::uint8_t mask) {
    std::uintptr_t first = granule < address ? address : granule;
    std::uint64_t mine = bytes_apart | std::uint64_t{mask} << Access::kMaskBit;
    if (!repeats_own(first, mine, site)) check_apart(first, mine, site);
  });
}

}  // namespace

QuickCode quick_code;

void prepare_quick_accesses() {
  quick_code = {};
  if (g.all_points || !g.record.quick) return;
  quick_code = {main_code, keep_point_bytes(main_code.site_base, main_code.size)};
}

void tick(std::uintptr_t pc) {
  g.access_budget = kAccessesPerTick;
  if (g.live_count < 2 && g.cares.outside_signals == 0) return;
  PendingOp& op = next_op(OpKind::tick, site_of(pc));
  mark_yielding(kVainTurns);
  std::uint32_t& epoch = g.current->epoch;
  std::uint32_t before = epoch;
  pass_point();
  // It says nothing about the data: what the thread has touched need not be looked at anew.
  if (publishing() && epoch == before + 1) epoch = before;
  emit_step(op, 0);
}

void track_access(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t pc) {
  SiteId site = site_of(pc);
  bool point = is_point(site);
  if (point && is_alone()) note_alone(address, size, is_write, site);
  if (!point || is_alone()) {
    if (publishing()) return observe_access(address, size, is_write, site, false);
    check_plain(address, size, is_write, site);
    if (point) end_epoch();
    return;
  }
  const PendingOp& op = access_op(address, size, is_write, site);
  pass_usual_point();
  if (publishing()) return observe_access(address, size, is_write, site, true);
  check_plain(address, size, is_write, site);
  end_epoch();
  if (!g.record.quiet) emit_step(op, value_at(address, size));
}

void check_apart(std::uintptr_t address, std::uint64_t mine, SiteId site) {
  Cell& cell = cell_of(address);
  if (is_first(address, cell))
    remember_first(cell, mine, site);
  else if (!adds_nothing(cell, mine))
    check_in_company(address, mine, site);
}

void observe_granule(std::uintptr_t address, std::uint64_t mine, SiteId site) {
  bool is_write = (mine >> Access::kFlagsBit & kWrite) != 0;
  Cell& cell = cell_of(address);
  if (remember_own(address, mine, is_write, site)) return;
  bool lists_reads = !is_write && cell.extra != 0 && cell.poison == 0 && g.epoch_floor == 0;
  if (lists_reads && !own::is_special(*g.current) && reads_again(cell, {mine, place_of(site)}))
    return;
  auto size = static_cast<std::size_t>(__builtin_popcountll(mine & own::kBytes));
  observe_access(address, size, is_write, site, false);
}

void access_in_library(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t pc) {
  SiteId site = site_of(pc);
  if (is_point(site)) return track_access(address, size, is_write, pc);
  std::uint64_t mine = access_bits(address, size, is_write);
  if (publishing()) return observe_granule(address, mine, site);
  if (!adds_nothing(cell_of(address), mine)) check_granule(address, mine, site);
}

bool pass_free_point(std::uintptr_t address, std::uintptr_t pc) {
  SiteId site = site_of(pc);
  if (!is_point(site) || is_alone()) return false;
  PendingOp& op = next_op(OpKind::memory_free, site);
  std::size_t size = heap_usable_size(reinterpret_cast<void*>(address));
  op.size = static_cast<std::uint16_t>(size < model::kHugeSize ? size : model::kHugeSize);
  op.address = address;
  note_progress();
  pass_point();
  return true;
}

void range_access(const void* data, std::size_t size, bool is_write, std::uintptr_t pc) {
  auto address = reinterpret_cast<std::uintptr_t>(data);
  if (g.access_mode <= AccessMode::count_only) {
    if (g.access_mode == AccessMode::count_only && !is_write) count_read(pc);
    return;
  }
  if (!is_write && __builtin_expect(--g.access_budget <= 0, 0))
    return track_after_tick(address, size, pc);
  track_access(address, size, is_write, pc);
}

void track_after_tick(std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
  tick(pc);
  if (tracking()) track_access(address, size, false, pc);
}

}  // namespace raddle::runtime
