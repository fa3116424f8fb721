// SPDX-License-Identifier: Apache-2.0
//
// Shadow memory: for every 8 bytes of the program a cell of 32 bytes with the accesses to them that
// may still matter, and the clocks of atomics among them. Target side. What the accesses mean is
// the business of sharing.cc and race.cc; this is the storage.
#pragma once

#include <sys/mman.h>

#include <cstddef>

#include "runtime/clocks.h"
#include "runtime/memory_map.h"

namespace raddle::runtime {

enum AccessFlags : std::uint8_t {
  kPublished = 1,       // it is an event
  kSeveralReaders = 2,  // of a read: others have read too
  kAtomic = 4,
  kWrite = 8,
  kSuperseded = 16,  // a later access stands for it; only remembered for publication
  kInHandler = 32,   // by a signal handler, which interleaves with the thread it runs in
  kShared = 64,      // several threads have touched the bytes
  kVague = 128,      // a later access of its thread and kind, to some of its bytes, was elsewhere
};

// One number for who, when, which bytes and how: it is compared and replaced at once, on the path
// of every access.
struct __attribute__((packed, aligned(4))) Access {
  std::uint64_t bits;   // epoch: 32, thread: 16, mask: 8, flags: 8
  std::uint32_t place;  // the site, or the context if contexts are recorded (context.h)

  static constexpr unsigned kThreadBit = 32, kMaskBit = 48, kFlagsBit = 56;

  std::uint32_t epoch() const { return static_cast<std::uint32_t>(bits); }
  ThreadId thread() const { return static_cast<ThreadId>(bits >> kThreadBit); }
  // Bytes of the granule; 0: no access.
  std::uint8_t mask() const { return static_cast<std::uint8_t>(bits >> kMaskBit); }
  std::uint8_t flags() const { return static_cast<std::uint8_t>(bits >> kFlagsBit); }
  bool any() const { return mask() != 0; }
  bool has(AccessFlags flag) const { return (flags() & flag) != 0; }

  void add_bytes(std::uint8_t bytes) { bits |= std::uint64_t{bytes} << kMaskBit; }
  void drop_bytes(std::uint8_t bytes) { bits &= ~(std::uint64_t{bytes} << kMaskBit); }
  void set_bytes(std::uint8_t bytes) {
    drop_bytes(0xff);
    add_bytes(bytes);
  }
  void add_flags(std::uint8_t more) { bits |= std::uint64_t{more} << kFlagsBit; }
  void drop_flags(std::uint8_t some) { bits &= ~(std::uint64_t{some} << kFlagsBit); }
};
static_assert(sizeof(Access) == 12);

inline Access make_access(std::uint32_t epoch, ThreadId thread, std::uint8_t mask,
                          std::uint8_t flags, std::uint32_t place) {
  return {epoch | std::uint64_t{thread} << Access::kThreadBit |
              std::uint64_t{mask} << Access::kMaskBit | std::uint64_t{flags} << Access::kFlagsBit,
          place};
}

// By the same thread, and both or neither in a signal handler.
inline bool same_actor(const Access& a, const Access& b) {
  return a.thread() == b.thread() && ((a.flags() ^ b.flags()) & kInHandler) == 0;
}

// Where accesses are only checked (AccessMode::check), both places are for any access.
struct Cell {
  Access write;              // the last one
  Access read;               // the last one, or the first of several readers
  std::uint32_t extra : 24;  // index of further accesses that nothing stands for; 0: none
  std::uint32_t poison : 8;  // bytes that must not be touched (heap.h)
  std::uint32_t location;    // index of the clocks of its atomics; 0: none

  // Nothing but the two places matters.
  bool is_plain() const { return extra == 0 && poison == 0; }
};
static_assert(sizeof(Cell) == 32);

struct Extra {
  Access access;
  std::uint32_t next;
};

// What was handed on through an atomic (order.h).
struct LocationClock {
  Clock clock;
  ThreadId head;        // who began the release sequence
  std::uint8_t offset;  // in the granule; kStated added for edges that the program states
  std::uint32_t next;   // other atomics of the granule
};

inline Cell& cell_of(std::uintptr_t address) {
  return *reinterpret_cast<Cell*>(kShadowBase + ((address & 0x0fff'ffff'fff8) << 2));
}

void init_shadow();

inline Extra& extra(std::uint32_t index) { return reinterpret_cast<Extra*>(kExtrasBase)[index]; }
// Puts an access in front of a cell's list. Forgotten when there are too many: then races may be
// missed, which the engine is told, but nothing false is reported.
void add_extra(Cell& cell, const Access& access);
void free_extra(std::uint32_t index);

// What the program states about an address is kept apart from what its atomics hand on.
inline constexpr std::uint8_t kStated = 8;

inline LocationClock& location(std::uint32_t index) {
  return reinterpret_cast<LocationClock*>(kExtrasBase + kExtrasBytes / 2)[index];
}
// Null if nothing was handed on through the atomic.
inline LocationClock* find_location_clock(std::uintptr_t address, std::uint8_t stated = 0) {
  for (std::uint32_t i = cell_of(address).location; i != 0; i = location(i).next)
    if (location(i).offset == ((address & 7) | stated)) return &location(i);
  return nullptr;
}
// Made if need be.
LocationClock& location_clock(std::uintptr_t address, std::uint8_t stated = 0);

// visit(begin, size) for the parts of a range whose shadow has been touched. Of very large ranges
// the beginning.
template <class Visit>
inline void for_each_touched_part(std::uintptr_t address, std::size_t size, Visit visit) {
  constexpr std::size_t kFewBytes = 4096, kPart = 1024, kPartsMax = 16 << 10;
  static_assert(kPart / 8 * sizeof(Cell) == 4096);  // a page of shadow
  static unsigned char touched[kPartsMax];
  if (size <= kFewBytes) return visit(address, size);
  std::uintptr_t begin = address & ~(kPart - 1);
  std::size_t parts = (address + size - begin + kPart - 1) / kPart;
  if (parts > kPartsMax) parts = kPartsMax;
  if (mincore(&cell_of(begin), parts * 4096, touched) != 0) return;
  for (std::size_t i = 0; i < parts; ++i) {
    if ((touched[i] & 1) == 0) continue;
    std::uintptr_t part = begin + i * kPart, end = part + kPart;
    std::uintptr_t from = part < address ? address : part;
    visit(from, (end < address + size ? end : address + size) - from);
  }
}

// Bytes that no access may touch, until the shadow is forgotten.
void poison(std::uintptr_t address, std::size_t size);

// Most of a large block will be used: its shadow takes huge pages where the system offers them,
// which costs a fraction of the page faults.
void expect_dense_shadow(std::uintptr_t address, std::size_t size);

// Forgets the accesses that were made in earlier runs, which have nothing to do with this one.
inline void drop_earlier_runs(Cell& cell, std::uint32_t epoch_floor) {
  if (cell.write.epoch() <= epoch_floor) cell.write = {};
  if (cell.read.epoch() <= epoch_floor) cell.read = {};
  // The first of the list is the youngest.
  while (cell.extra != 0 && extra(cell.extra).access.epoch() <= epoch_floor) {
    std::uint32_t next = extra(cell.extra).next;
    free_extra(cell.extra);
    cell.extra = next & 0xffffff;
  }
}
// Forgets everything. Takes as long as a page fault for each page that was touched.
void forget_all_shadow();

// Recycled memory must not look shared.
void forget_shadow(std::uintptr_t address, std::size_t size);

}  // namespace raddle::runtime
