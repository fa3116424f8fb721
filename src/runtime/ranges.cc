// SPDX-License-Identifier: Apache-2.0
//
// Accesses of libc's functions. Target side.
#include "runtime/ranges.h"

#include "runtime/heap.h"
#include "runtime/heap_blocks.h"
#include "runtime/memory_map.h"
#include "runtime/sharing.h"

namespace raddle::runtime {
namespace {

// A range of this size is not remembered while there is but one thread: nothing that comes later
// can be concurrent to it, and its shadow would be four times its size.
constexpr std::size_t kLargeRange = 64 << 10;

bool is_inside(const BlockView& block, std::uintptr_t address, std::size_t size) {
  return block.state == BlockState::live && address >= block.payload &&
         address - block.payload <= block.size && size <= block.size - (address - block.payload);
}

// The poison in the shadow tells only of the bytes next to small blocks, and nothing of blocks from
// before the run, so a range is compared with its block.
void check_block(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  if (!in_heap(reinterpret_cast<const void*>(address))) return;
  BlockView block = block_at(address);
  if (block.state != BlockState::unused && !is_inside(block, address, size))
    report_heap_access(address, size, is_write, site);
}

bool nobody_else(std::size_t size) { return size >= kLargeRange && g.thread_count == 1; }

// By the same thread, and not atomic.
inline bool is_mine(const Access& access, const Access& mine) {
  constexpr std::uint64_t kCompared =
      std::uint64_t{0xffff} << Access::kThreadBit |
      std::uint64_t{kInHandler | kAtomic | kSeveralReaders | kShared} << Access::kFlagsBit;
  return ((access.bits ^ mine.bits) & kCompared) == 0 || !access.any();
}

// Nobody else has touched these eight bytes since they were forgotten, and none is an atomic.
inline bool is_private(const Cell& cell, const Access& mine) {
  return cell.extra == 0 && cell.poison == 0 && is_mine(cell.write, mine) &&
         is_mine(cell.read, mine);
}

// What observe_access makes of an access to all of a cell, if that is private.
inline bool remember_published(Cell& cell, const Access& mine) {
  if (!is_private(cell, mine)) return false;
  if (mine.has(kWrite) && cell.read.any()) cell.read.add_flags(kSuperseded);
  (mine.has(kWrite) ? cell.write : cell.read) = mine;
  return true;
}

// The same for check_access, for which both places are alike: a write stands for everything, a read
// for reads. False, too, if there is no place left.
inline bool remember_checked(Cell& cell, const Access& mine) {
  if (adds_nothing(cell, mine.bits)) return true;
  if (!is_private(cell, mine)) return false;
  for (Access* place : {&cell.write, &cell.read})
    if (mine.has(kWrite) || !place->has(kWrite)) place->drop_bytes(0xff);
  Access& place = cell.write.any() ? cell.read : cell.write;
  if (place.any()) return false;
  place = mine;
  return true;
}

// Remembers the access to the whole granules that a range begins with while they are private: the
// way of most copies. Returns where that ends.
template <bool (*remember)(Cell&, const Access&)>
std::uintptr_t remember_private(std::uintptr_t address, std::uintptr_t end, const Access mine) {
  while (end - address >= 8 && remember(cell_of(address), mine)) address += 8;
  return address;
}

void observe(std::uintptr_t address, std::uintptr_t end, bool is_write, SiteId site) {
  if (address == end) return;
  if (publishing())
    observe_access(address, end - address, is_write, site, false);
  else
    check_access(address, end - address, is_write, site);
}

void observe_range(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  constexpr std::size_t kWorthIt = 32;
  const Fiber& me = *g.current;
  std::uintptr_t end = address + size;
  bool ignored = (is_write ? me.ignored_writes : me.ignored_reads) != 0;
  if (size < kWorthIt || ignored || is_dead_stack(address))
    return observe(address, end, is_write, site);
  std::uintptr_t aligned = (address + 7) & ~std::uintptr_t{7};
  observe(address, aligned, is_write, site);
  const Access mine = current_access(
      {aligned, end - aligned, site, static_cast<std::uint8_t>(is_write ? kWrite : 0)}, 0xff);
  address = publishing() ? remember_private<remember_published>(aligned, end, mine)
                         : remember_private<remember_checked>(aligned, end, mine);
  observe(address, end, is_write, site);
}

void access_range(const void* start, std::size_t size, bool is_write, std::uintptr_t pc) {
  if (size == 0) return;
  auto address = reinterpret_cast<std::uintptr_t>(start);
  SiteId site = site_of(pc);
  check_block(address, size, is_write, site);
  if (nobody_else(size)) return;
  if (!is_write && __builtin_expect(--g.access_budget <= 0, 0)) tick(pc);
  if (is_point(site))
    track_access(address, size, is_write, pc);
  else
    observe_range(address, size, is_write, site);
}

}  // namespace

void reads(const void* from, std::size_t size, std::uintptr_t pc) {
  access_range(from, size, false, pc - kReadSide);
}

void writes(const void* to, std::size_t size, std::uintptr_t pc) {
  access_range(to, size, true, pc);
}

void has_written(const void* to, std::size_t size, std::uintptr_t pc) {
  if (!tracking() || size == 0) return;
  auto address = reinterpret_cast<std::uintptr_t>(to);
  SiteId site = site_of(pc);
  check_block(address, size, true, site);
  if (nobody_else(size)) return;
  g.access_made = true;
  observe_range(address, size, true, site);
  g.access_made = false;
}

std::size_t room_at(const void* to, std::size_t size) {
  auto address = reinterpret_cast<std::uintptr_t>(to);
  if (!in_heap(to)) return size;
  BlockView block = block_at(address);
  if (block.state == BlockState::unused || is_inside(block, address, size)) return size;
  return is_inside(block, address, 0) ? block.payload + block.size - address : 0;
}

bool write_is_point(std::uintptr_t pc) { return is_point(site_of(pc)); }

}  // namespace raddle::runtime
