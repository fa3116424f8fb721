// SPDX-License-Identifier: Apache-2.0
//
// The path of a plain memory access through the runtime. Target side. Kept inline and short: it
// runs for every load and store of the program.
#pragma once

#include <cstddef>

#include "runtime/locate.h"
#include "runtime/own_access.h"
#include "runtime/point_sites.h"
#include "runtime/quick_check.h"
#include "runtime/quick_point.h"
#include "runtime/race.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"
#include "runtime/spin.h"

namespace raddle::runtime {

// A thread that makes very many accesses without a point gives others a chance: otherwise a loop
// waiting for a plain variable would never end. Counted in accesses, so it is deterministic.
void tick(std::uintptr_t pc);

// Whether a plain access at the site lets other threads run first.
inline bool is_point(SiteId site) {
  return g.site_points && g.live_count >= g.points_from && (g.all_points || is_point_site(site));
}
// Of an access that is_point() holds for: whether it is one only for a search to know of.
inline bool is_alone() { return g.live_count == 1; }

// Apart from the hooks, which need no frame as long as a call of these is the last thing they do.
#define RADDLE_APART __attribute__((noinline))
RADDLE_APART void track_access(std::uintptr_t address, std::size_t size, bool is_write,
                               std::uintptr_t pc);
// The same after a tick: a read that has used up the budget.
RADDLE_APART void track_after_tick(std::uintptr_t address, std::size_t size, std::uintptr_t pc);

// An access in one granule that is no point, where shared data is looked for. `mine`: as the shadow
// keeps it.
void observe_granule(std::uintptr_t address, std::uint64_t mine, SiteId site);

// A block is about to be freed. True if that is a point, and other threads may have run.
bool pass_free_point(std::uintptr_t address, std::uintptr_t pc);

// An access by code of libraries, in one granule, where accesses are only checked.
RADDLE_APART void access_in_library(std::uintptr_t address, std::size_t size, bool is_write,
                                    std::uintptr_t pc);

// The current thread's access to bytes of one granule, as the shadow keeps it. Eight bytes in one
// granule are all of it.
inline std::uint64_t access_bits(std::uintptr_t address, std::size_t size, bool is_write) {
  std::uint64_t bytes = size == 8 ? 0xff : ((std::uint64_t{1} << size) - 1) << (address & 7);
  return who_and_when(*g.current) | bytes << Access::kMaskBit |
         (is_write ? std::uint64_t{kWrite} << Access::kFlagsBit : 0);
}

// Whether a remembered access is the thread's, of this epoch, and to all the bytes of the new one.
inline bool stands_in(const Access& earlier, std::uint64_t mine) {
  constexpr std::uint64_t kWho = (std::uint64_t{1} << Access::kMaskBit) - 1;
  constexpr std::uint64_t kKind = std::uint64_t{kAtomic} << Access::kFlagsBit;
  return ((earlier.bits ^ mine) & (mine | kWho | kKind)) == 0;
}

// Where accesses are only checked, the first access of an epoch stands for later ones: whether the
// thread has made one in this epoch that is as good as the new one. Most accesses end here.
//
// A race is then reported with the first access alone, and only its site becomes a point. So an
// access at such a site ends the epoch (end_epoch()): in the runs that follow, the next one stands
// for itself, races as well, and becomes a point, too.
inline bool adds_nothing(const Cell& cell, std::uint64_t mine) {
  return stands_in(cell.write, mine) || stands_in(cell.read, mine);
}

// The current thread has made an access that is a point: what it does next is compared with what
// others do on its own account.
inline void end_epoch() {
  if (!publishing()) advance_epoch(*g.current);
}

// Whoever waits for a variable reads it, so counting reads is enough.
inline void count_read(std::uintptr_t pc) {
  if (__builtin_expect(--g.access_budget <= 0, 0)) tick(pc);
}

// The current thread's next op is an access that is a point.
inline PendingOp& access_op(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  PendingOp& op = next_op(is_write ? OpKind::plain_write : OpKind::plain_read, site);
  op.size = static_cast<std::uint16_t>(size < model::kHugeSize ? size : model::kHugeSize);
  op.address = address;
  if (is_write)
    note_progress();
  else
    note_read(op);
  return op;
}

// The executable as quick_access() knows it; nothing where all accesses are points.
struct QuickCode : CodeRange {
  const unsigned char* points;  // not 0: the access that is followed by this instruction is one
};
extern QuickCode quick_code;
// A run of the plan is about to begin.
void prepare_quick_accesses();

// The same where accesses are checked quickly, of an access in one granule: at a site of points, or
// where quick_access() does not see at once that there is nothing to be found.
template <std::size_t size, bool is_write>
RADDLE_APART void pass_access(std::uintptr_t address, SiteId site) {
  if (g.live_count > 1 && g.site_points) {
    access_op(address, size, is_write, site);
    pass_quick_point();
  }
  // Others have been here, too, or the site would be no point.
  check_in_company(address, access_bits(address, size, is_write), site);
  end_epoch();
}
RADDLE_APART void check_apart(std::uintptr_t address, std::uint64_t mine, SiteId site);

// An access that lies in one granule, where accesses are checked quickly: as plain_access(), with
// as few questions as possible.
template <std::size_t size, bool is_write>
__attribute__((always_inline)) inline void quick_access(std::uintptr_t address, std::uintptr_t pc) {
  if (!is_write && __builtin_expect(--g.access_budget <= 0, 0))
    return track_after_tick(address, size, pc);
  std::uintptr_t offset = pc - quick_code.base;
  if (__builtin_expect(offset >= quick_code.size, 0))
    return access_in_library(address, size, is_write, pc);
  SiteId site = quick_code.site_base + static_cast<SiteId>(offset);
  if (quick_code.points[offset] != 0) return pass_access<size, is_write>(address, site);
  std::uint64_t mine = access_bits(address, size, is_write);
  if (!repeats_own(address, mine, site)) check_apart(address, mine, site);
}

// plain_access() where accesses are not checked quickly, or the access does not lie in one granule
// for sure. Apart from the hooks: what it needs would have to be saved by the short way, too.
template <std::size_t size, bool is_write, bool aligned>
RADDLE_APART void usual_access(std::uintptr_t address, std::uintptr_t pc) {
  AccessMode mode = g.access_mode;
  if (mode <= AccessMode::count_only) {
    if (mode == AccessMode::count_only && !is_write) count_read(pc);
    return;
  }
  if (!is_write && __builtin_expect(--g.access_budget <= 0, 0))
    return track_after_tick(address, size, pc);
  bool in_one_granule = size <= 8 && (aligned || (address & 7) + size <= 8);
  if (!in_one_granule) return track_access(address, size, is_write, pc);
  if (mode == AccessMode::alone && is_plain_to_see(address, cell_of(address))) return;
  // Calls that are the last thing done, so that the common way needs no frame.
  std::uintptr_t offset = pc - main_code.base;
  if (__builtin_expect(offset >= main_code.size, 0))
    return access_in_library(address, size, is_write, pc);
  SiteId site = main_code.site_base + static_cast<SiteId>(offset);
  if (is_point(site)) return track_access(address, size, is_write, pc);
  std::uint64_t mine = access_bits(address, size, is_write);
  if (mode == AccessMode::publish) {
    Cell& cell = cell_of(address);
    if (!add_to_own<is_write>(cell, mine, site, size < 8)) observe_granule(address, mine, site);
    return;
  }
  if (!adds_nothing(cell_of(address), mine)) check_granule(address, mine, site);
}

// `aligned`: to its size, so that it lies in one granule.
template <std::size_t size, bool is_write, bool aligned>
__attribute__((always_inline)) inline void plain_access(const void* data, std::uintptr_t pc) {
  auto address = reinterpret_cast<std::uintptr_t>(data);
  if (size <= 8 && aligned && checks_quickly()) return quick_access<size, is_write>(address, pc);
  usual_access<size, is_write, aligned>(address, pc);
}

// Any number of bytes.
void range_access(const void* data, std::size_t size, bool is_write, std::uintptr_t pc);

}  // namespace raddle::runtime
