// SPDX-License-Identifier: Apache-2.0
//
// Shadow cells: 16 bytes for every 8 bytes of the program, one word for the last write and one for
// the last read. Target side.
//
// A word is 0 or [site 28][thread 14][byte mask 8][epoch 12][several readers 1][published 1]. Two
// accesses conflict when their masks overlap, one writes, and no thread creation or join that the
// runtime has seen orders them (happens-before through locks is the race detector's business, not
// the filter's: data protected by a lock is shared data).
//
// The epoch is the thread's count of synchronisations modulo 4096: enough to recognise an access
// identical to the previous one, and to see whether a creator's access came before the creation.
#include "runtime/shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/locate.h"
#include "runtime/memory_map.h"

namespace raddle::runtime {
namespace {

struct Cell {
  std::uint64_t write;
  std::uint64_t read;
};
static_assert(sizeof(Cell) == 16);

constexpr std::uint64_t kShared = 1;  // the access has been published: the data is shared
constexpr std::uint64_t kSeveralReaders = 2;
constexpr unsigned kEpochShift = 2, kMaskShift = 14, kThreadShift = 22, kSiteShift = 36;
constexpr std::uint32_t kEpochMask = 0xfff;
constexpr SiteId kSiteMax = (1u << 28) - 1;

constexpr std::uint64_t kFlags = kShared | kSeveralReaders;

SiteId site_in(std::uint64_t word) { return static_cast<SiteId>(word >> kSiteShift); }
ThreadId thread_in(std::uint64_t word) {
  return static_cast<ThreadId>((word >> kThreadShift) & 0x3fff);
}
unsigned mask_in(std::uint64_t word) { return (word >> kMaskShift) & 0xff; }
std::uint32_t epoch_in(std::uint64_t word) { return (word >> kEpochShift) & kEpochMask; }

Cell* cell_of(std::uintptr_t address) {
  return reinterpret_cast<Cell*>(kShadowBase + ((address & 0x0fff'ffff'fff8) << 1));
}

// One bit a site; 32 MiB of address space, touched only where the program's points are.
constexpr std::size_t kSiteWords = (std::size_t{kSiteMax} + 1) / 64;
std::uint64_t* point_bits;
SiteId* current_sites;  // what is set now, to clear it again
std::uint32_t current_site_count;

// Whether the remembered access is ordered before everything the current thread does from its
// creation on (its creator did it earlier), or was made by a thread that the current one joined.
bool ordered_before_me(std::uint64_t word, const Fiber& me) {
  const Fiber& other = g.fibers[thread_in(word)];
  if (other.joined_by == me.id && other.state != FiberState::alive) return true;
  if (me.creator != other.id) return false;
  return ((me.created_epoch - epoch_in(word)) & kEpochMask) < kEpochMask / 2;
}

bool conflicts(std::uint64_t word, unsigned mask, const Fiber& me) {
  return word != 0 && thread_in(word) != me.id && (mask_in(word) & mask) != 0 &&
         !ordered_before_me(word, me);
}

void publish_remembered(std::uint64_t word, std::uintptr_t granule, bool is_write) {
  unsigned first = static_cast<unsigned>(__builtin_ctz(mask_in(word)));
  std::uint64_t value = 0;
  emit({.kind = is_write ? wire::OpKind::plain_write : wire::OpKind::plain_read,
        .size = static_cast<std::uint16_t>(__builtin_popcount(mask_in(word))),
        .site = site_in(word),
        .address = granule + first},
       thread_in(word), value, wire::kEventRemembered | wire::kEventConflict);
}

struct Access {
  std::uintptr_t address;
  std::size_t size;
  bool is_write;
  bool is_point;
  SiteId site;
};

// Updates one cell; true if the access must be published. Sets *conflict if it is one.
bool update_cell(std::uintptr_t granule, unsigned mask, const Access& access, bool* conflict) {
  const Fiber& me = *g.current;
  Cell& cell = *cell_of(granule);
  std::uint64_t mine = (std::uint64_t{access.site & kSiteMax} << kSiteShift) |
                       (std::uint64_t{me.id} << kThreadShift) |
                       (std::uint64_t{mask} << kMaskShift) |
                       (std::uint64_t{me.epoch & kEpochMask} << kEpochShift);
  std::uint64_t write = cell.write;
  std::uint64_t read = cell.read;
  std::uint64_t shared = access.is_point ? kShared : (write | read) & kShared;
  bool with_write = conflicts(write, mask, me);
  bool with_read = access.is_write && conflicts(read, mask, me);
  bool hidden_reader =
      access.is_write && (read & kSeveralReaders) != 0 && (mask_in(read) & mask) != 0;
  if (with_write || with_read || hidden_reader) {
    *conflict = true;
    if (with_write && (write & kShared) == 0) publish_remembered(write, granule, true);
    bool reader_counts = with_read || (with_write && conflicts(read, mask, me));
    if (reader_counts && (read & kShared) == 0) publish_remembered(read, granule, false);
    shared = kShared;
  }
  if (access.is_write) {
    bool repeated = ((write & ~kFlags) == mine) && (read == 0 || thread_in(read) == me.id);
    cell.write = mine | shared;
    cell.read = read & ~kSeveralReaders;
    return shared != 0 && !repeated;
  }
  bool other_reader = read != 0 && thread_in(read) != me.id;
  bool repeated = ((read & ~kFlags) == mine) && (write == 0 || thread_in(write) == me.id);
  // Until somebody writes, the first reader is the one worth remembering.
  bool keep_first = other_reader && shared == 0 && !ordered_before_me(read, me);
  cell.read = keep_first ? (read | kSeveralReaders) : (mine | shared);
  if (shared != 0 && write != 0) cell.write = write | shared;
  return shared != 0 && !repeated;
}

}  // namespace

void init_shadow() {
  reserve_region(kShadowBase, kShadowBytes, true, "the shadow memory");
  void* bits = mmap(nullptr, kSiteWords * 8 + kSiteMax, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED) refuse("not enough address space for the point sites");
  point_bits = static_cast<std::uint64_t*>(bits);
  current_sites = reinterpret_cast<SiteId*>(point_bits + kSiteWords);
}

void observe_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site,
                    bool is_point) {
  Access access{address, size, is_write, is_point, site};
  bool publish = is_point;
  bool conflict = false;
  std::uintptr_t end = address + size;
  for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < end; granule += 8) {
    unsigned first = granule < address ? static_cast<unsigned>(address - granule) : 0;
    unsigned last = end - granule < 8 ? static_cast<unsigned>(end - granule) : 8;
    unsigned mask = ((1u << last) - 1) & ~((1u << first) - 1);
    publish |= update_cell(granule, mask, access, &conflict);
  }
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

void forget_shadow(std::uintptr_t address, std::size_t size) {
  if (g.access_mode != AccessMode::track || size == 0) return;
  std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(cell_of(address));
  std::uintptr_t end = reinterpret_cast<std::uintptr_t>(cell_of(address + size - 1) + 1);
  constexpr std::uintptr_t kPage = 4096;
  if (end - begin < 8 * kPage) {
    memset(reinterpret_cast<void*>(begin), 0, end - begin);
    return;
  }
  std::uintptr_t first_page = (begin + kPage - 1) & ~(kPage - 1);
  std::uintptr_t last_page = end & ~(kPage - 1);
  memset(reinterpret_cast<void*>(begin), 0, first_page - begin);
  memset(reinterpret_cast<void*>(last_page), 0, end - last_page);
  madvise(reinterpret_cast<void*>(first_page), last_page - first_page, MADV_DONTNEED);
}

void set_point_sites(const SiteId* sites, std::uint32_t count) {
  for (std::uint32_t i = 0; i < current_site_count; ++i)
    point_bits[current_sites[i] / 64] &= ~(std::uint64_t{1} << (current_sites[i] % 64));
  current_site_count = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (sites[i] > kSiteMax) continue;
    current_sites[current_site_count++] = sites[i];
    point_bits[sites[i] / 64] |= std::uint64_t{1} << (sites[i] % 64);
  }
}

bool is_point_site(SiteId site) {
  return site <= kSiteMax && (point_bits[site / 64] >> (site % 64) & 1) != 0;
}

}  // namespace raddle::runtime
