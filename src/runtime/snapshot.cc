// SPDX-License-Identifier: Apache-2.0
//
// See snapshot.h.
#include "runtime/snapshot.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/memory_map.h"
#include "runtime/page_scan.h"
#include "runtime/raw_call.h"

namespace raddle::runtime::snapshot {
namespace {

constexpr std::size_t kStackBytes = 256 << 10;
constexpr std::uint32_t kRegionsMax = 1 << 16;
constexpr std::uint32_t kKeptMax = 1 << 18;
constexpr std::uint32_t kHotMax = 1 << 20;  // 4 GiB that one run writes
constexpr std::uint32_t kDiscardedMax = 64;

// A private mapping as it was.
struct Region {
  std::uintptr_t begin, end;
  bool anonymous;  // pages that have no copy are zero
};

// Pages side by side that have a copy.
struct Kept {
  std::uintptr_t begin, end;
  const char* copy;
};

// A page that is put back; without a copy it is cleared.
struct Hot {
  char* page;
  const char* copy;
};

struct Range {
  std::uintptr_t begin, end;
};

// All of it lies in the region that is not put back.
struct Store {
  std::uint32_t region_count, kept_count, hot_count, discarded_count;
  std::uintptr_t copies_end;
  std::uint64_t faults;        // when the run began
  std::uint64_t mapped_bytes;  // but for the first stack
  Range discarded[kDiscardedMax];
  Region regions[kRegionsMax];
  Kept kept[kKeptMax];
  Hot hot[kHotMax];
};

constexpr std::uintptr_t kStoreAt = kResidentBase + kStackBytes;
constexpr std::uintptr_t kCopiesAt = kResidentBase + (std::uintptr_t{256} << 20);
static_assert(kStoreAt + sizeof(Store) <= kCopiesAt);

Store& store() { return *reinterpret_cast<Store*>(kStoreAt); }

void copy_page(char* to, const char* from) {
  std::size_t words = kPageBytes / 8;
  __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

void clear_page(char* page) {
  std::size_t words = kPageBytes / 8;
  __asm__ volatile("rep stosq" : "+D"(page), "+c"(words) : "a"(0) : "memory");
}

std::uint64_t page_faults() {
  rusage usage;
  raw_call(SYS_getrusage, RUSAGE_THREAD, as_word(&usage));
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

bool is_ours(std::uintptr_t address) { return address >= kResidentBase && address < kResidentEnd; }

Result keep(std::uintptr_t begin, std::uintptr_t end) {
  Store& s = store();
  if (s.kept_count == kKeptMax || end - begin > kResidentEnd - s.copies_end)
    return Result::too_large;
  auto* copy = reinterpret_cast<char*>(s.copies_end);
  s.kept[s.kept_count++] = {begin, end, copy};
  for (std::uintptr_t page = begin; page < end; page += kPageBytes, copy += kPageBytes)
    copy_page(copy, reinterpret_cast<const char*>(page));
  s.copies_end += end - begin;
  return Result::done;
}

// A line of the kernel's list of mappings. Of files that can be written to, every page is kept:
// which of them have been written to changes, and their other contents are not zero. Of all other
// memory those pages that are there.
Result add_mapping(const Mapping& mapping) {
  Store& s = store();
  if (is_ours(mapping.begin)) return Result::done;
  if (!mapping.is_stack) s.mapped_bytes += mapping.end - mapping.begin;
  if (!mapping.is_private) return Result::done;
  // Where protections differ there are two mappings, which may become one, or more.
  Region* last = s.region_count > 0 ? &s.regions[s.region_count - 1] : nullptr;
  bool goes_on = last != nullptr && last->end == mapping.begin && !mapping.is_stack &&
                 last->anonymous == !mapping.of_file;
  if (!goes_on && s.region_count == kRegionsMax) return Result::too_large;
  if (!goes_on) s.regions[s.region_count++] = {mapping.begin, mapping.end, !mapping.of_file};
  Region& region = s.regions[s.region_count - 1];
  region.end = mapping.end;
  if (mapping.of_file && mapping.writable) return keep(mapping.begin, mapping.end);
  Result result = Result::done;
  bool scanned =
      for_each_own_range(mapping.begin, mapping.end, [&](std::uintptr_t begin, std::uintptr_t end) {
        result = keep(begin, end);
        return result == Result::done;
      });
  if (!scanned && result == Result::done) result = Result::unsupported;
  // The first stack grows downwards when it is used; what is there then was zero.
  if (mapping.is_stack) {
    std::uintptr_t below = s.region_count > 1 ? (&region)[-1].end : 0;
    std::uintptr_t room = std::uintptr_t{1} << 30;
    region.begin = mapping.begin - below > room ? mapping.begin - room : below;
  }
  return result;
}

// The last entry that begins at or before the address; null: there is none.
template <class Entry>
const Entry* last_before(const Entry* entries, std::uint32_t count, std::uintptr_t address) {
  std::uint32_t low = 0, high = count;
  while (low < high) {
    std::uint32_t middle = low + (high - low) / 2;
    if (entries[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? nullptr : &entries[low - 1];
}

Result add_hot(std::uintptr_t page) {
  Store& s = store();
  if (s.hot_count == kHotMax) return Result::too_large;
  const Kept* kept = last_before(s.kept, s.kept_count, page);
  if (kept != nullptr && page < kept->end) {
    s.hot[s.hot_count++] = {reinterpret_cast<char*>(page), kept->copy + (page - kept->begin)};
    return Result::done;
  }
  const Region* region = last_before(s.regions, s.region_count, page);
  if (region == nullptr || page >= region->end || !region->anonymous) return Result::mappings;
  s.hot[s.hot_count++] = {reinterpret_cast<char*>(page), nullptr};
  return Result::done;
}

// Finds all pages that are exclusively ours.
Result find_hot() {
  Store& s = store();
  s.hot_count = 0;
  Result result = Result::done;
  auto add = [&](std::uintptr_t page) {
    result = add_hot(page);
    return result == Result::done;
  };
  bool looked = for_each_exclusive_page(kLowestAddress, kResidentBase, add) &&
                for_each_exclusive_page(kResidentEnd, kHighestAddress, add);
  return looked || result != Result::done ? result : Result::unsupported;
}

void put_back_hot() {
  Store& s = store();
  for (std::uint32_t i = 0; i < s.hot_count; ++i) {
    const Hot& hot = s.hot[i];
    if (hot.copy != nullptr)
      copy_page(hot.page, hot.copy);
    else
      clear_page(hot.page);
  }
}

// What was given back reads as zero: that is wrong where there is a copy.
void put_back_discarded() {
  Store& s = store();
  for (std::uint32_t i = 0; i < s.discarded_count; ++i) {
    const Range& range = s.discarded[i];
    const Kept* kept = last_before(s.kept, s.kept_count, range.begin);
    if (kept == nullptr) kept = s.kept;
    for (; kept < s.kept + s.kept_count && kept->begin < range.end; ++kept) {
      std::uintptr_t page = kept->begin > range.begin ? kept->begin : range.begin;
      for (; page < kept->end && page < range.end; page += kPageBytes)
        copy_page(reinterpret_cast<char*>(page), kept->copy + (page - kept->begin));
    }
  }
  s.discarded_count = 0;
}

}  // namespace

bool reserve() {
  constexpr long kProtection = PROT_READ | PROT_WRITE;
  constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  long base =
      raw_call(SYS_mmap, kResidentBase, kResidentEnd - kResidentBase, kProtection, kFlags, -1, 0);
  return base == static_cast<long>(kResidentBase);
}

std::uintptr_t stack_end() { return kResidentBase + kStackBytes; }

Result take() {
  Store& s = store();
  s.copies_end = kCopiesAt;
  Result result = Result::done;
  bool read = for_each_mapping([&](const Mapping& mapping) {
    result = add_mapping(mapping);
    return result == Result::done;
  });
  if (result != Result::done) return result;
  return read ? find_hot() : Result::unsupported;
}

bool same_mappings() {
  Store& s = store();
  std::uint64_t bytes = 0;
  bool read = for_each_mapping([&](const Mapping& mapping) {
    if (is_ours(mapping.begin)) return true;
    if (!mapping.is_stack) bytes += mapping.end - mapping.begin;
    if (!mapping.is_private) return true;
    const Region* region = last_before(s.regions, s.region_count, mapping.begin);
    return region != nullptr && mapping.end <= region->end;
  });
  return read && bytes == s.mapped_bytes;
}

void begin_run() { store().faults = page_faults(); }

Result restore(bool look) {
  Store& s = store();
  std::uint32_t known = s.hot_count;
  bool quiet = s.discarded_count == 0 && page_faults() == s.faults;
  put_back_discarded();
  if (!quiet || look)
    if (Result found = find_hot(); found != Result::done) return found;
  put_back_hot();
  return quiet && s.hot_count > known ? Result::unseen : Result::done;
}

void note_discarded(std::uintptr_t begin, std::uintptr_t end) {
  Store& s = store();
  if (s.discarded_count < kDiscardedMax)
    s.discarded[s.discarded_count++] = {begin, end};
  else  // one range that has all of them in it
    s.discarded[0] = {0, ~std::uintptr_t{0}};
}

std::uint32_t hot_pages() { return store().hot_count; }

}  // namespace raddle::runtime::snapshot
