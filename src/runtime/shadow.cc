// SPDX-License-Identifier: Apache-2.0
//
// Storage of the shadow. Target side. Everything is reserved address space, touched as far as used.
#include "runtime/shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/fatal.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

constexpr std::uint32_t kExtrasMax = 1 << 24;  // fits into Cell::extra
static_assert(kExtrasMax * sizeof(Extra) <= kExtrasBytes / 2);
constexpr std::uint32_t kLocationsMax = kExtrasBytes / 2 / sizeof(LocationClock);
// Index 0 means none.
constexpr std::uint32_t kFirstExtra = kExtrasShift / sizeof(Extra);
constexpr std::uint32_t kFirstLocation = kLocationsShift / sizeof(LocationClock);
std::uint32_t extra_count = kFirstExtra, location_count = kFirstLocation;
std::uint32_t free_extras, free_locations;

void free_lists(Cell& cell) {
  while (cell.extra != 0) {
    std::uint32_t next = extra(cell.extra).next;
    free_extra(cell.extra);
    cell.extra = next & (kExtrasMax - 1);
  }
  while (cell.location != 0) {
    LocationClock& clock = location(cell.location);
    std::uint32_t next = clock.next;
    release_clock(clock.clock);
    clock.next = free_locations;
    free_locations = cell.location;
    cell.location = next;
  }
}

std::uint32_t take_location() {
  if (std::uint32_t index = free_locations) {
    free_locations = location(index).next;
    return index;
  }
  if (location_count == kLocationsMax)
    refuse("the program has too many atomics for the race detector; try --races off");
  return location_count++;
}

}  // namespace

void init_shadow() {
  reserve_region(kShadowBase, kShadowBytes, true, "the shadow memory");
  reserve_region(kExtrasBase, kExtrasBytes, true, "the shadow memory");
}

void add_extra(Cell& cell, const Access& access) {
  std::uint32_t index = free_extras;
  if (index != 0)
    free_extras = extra(index).next;
  else if (extra_count < kExtrasMax)
    index = extra_count++;
  else {
    g.shared->reservations |= wire::kAccessesLost;
    return;
  }
  extra(index) = {access, cell.extra};
  cell.extra = index & (kExtrasMax - 1);
}

void free_extra(std::uint32_t index) {
  extra(index).next = free_extras;
  free_extras = index;
}

LocationClock& location_clock(std::uintptr_t address, std::uint8_t stated) {
  if (LocationClock* known = find_location_clock(address, stated)) return *known;
  Cell& cell = cell_of(address);
  std::uint32_t index = take_location();
  location(index) = {
      {}, kNoThread, static_cast<std::uint8_t>((address & 7) | stated), cell.location};
  cell.location = index;
  return location(index);
}

void poison(std::uintptr_t address, std::size_t size) {
  auto poison_bytes = [](std::uintptr_t granule, std::uint8_t bytes) {
    Cell& cell = cell_of(granule);
    cell.poison = (cell.poison | bytes) & 0xff;
    // So that no remembered access stands for one to them.
    cell.write.drop_bytes(bytes);
    cell.read.drop_bytes(bytes);
  };
  std::uintptr_t end = address + size;
  std::uintptr_t whole = (address + 7) & ~std::uintptr_t{7};
  if (whole > end) whole = end;
  if (address < whole)
    poison_bytes(address,
                 static_cast<std::uint8_t>(((1u << (whole - address)) - 1) << (address & 7)));
  Cell* last = &cell_of(end);
#pragma GCC unroll 1
  for (Cell* cell = &cell_of(whole); cell != last; ++cell) {
    cell->poison = 0xff;
    cell->write.bits = cell->read.bits = 0;  // nothing is left of them
  }
  whole = whole < end ? end & ~std::uintptr_t{7} : whole;
  if (whole < end) poison_bytes(whole, static_cast<std::uint8_t>((1u << (end - whole)) - 1));
}

void expect_dense_shadow(std::uintptr_t address, std::size_t size) {
  constexpr std::uintptr_t kHugePage = 2 << 20;
  std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(&cell_of(address)) & ~(kHugePage - 1);
  std::uintptr_t end =
      reinterpret_cast<std::uintptr_t>(&cell_of(address + size)) & ~(kHugePage - 1);
  if (begin < end) RADDLE_REAL(madvise)(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void forget_all_shadow() {
  discard_pages(kShadowBase, kShadowBytes);
  discard_pages(kExtrasBase, kExtrasBytes);
  extra_count = kFirstExtra;
  location_count = kFirstLocation;
  free_extras = free_locations = 0;
}

void forget_shadow(std::uintptr_t address, std::size_t size) {
  if (!tracking() || size == 0) return;
  constexpr std::size_t kFewBytes = 4096;
  if (size <= kFewBytes) {
    for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < address + size;
         granule += 8) {
      Cell& cell = cell_of(granule);
      if (cell.extra != 0 || cell.location != 0) free_lists(cell);
      cell = {};
    }
    return;
  }
  constexpr std::uintptr_t kPage = 4096;
  auto begin = reinterpret_cast<std::uintptr_t>(&cell_of(address));
  auto end = reinterpret_cast<std::uintptr_t>(&cell_of(address + size - 1) + 1);
  std::uintptr_t first_page = (begin + kPage - 1) & ~(kPage - 1);
  std::uintptr_t last_page = end & ~(kPage - 1);
  memset(reinterpret_cast<void*>(begin), 0, first_page - begin);
  memset(reinterpret_cast<void*>(last_page), 0, end - last_page);
  discard_pages(first_page, last_page - first_page);
}

}  // namespace raddle::runtime
