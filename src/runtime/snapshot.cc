// SPDX-License-Identifier: Apache-2.0
//
// See snapshot.h.
#include "runtime/snapshot.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "runtime/mapping_list.h"
#include "runtime/memory_map.h"
#include "runtime/page_scan.h"
#include "runtime/raw_call.h"

namespace raddle::runtime::snapshot {
namespace {

constexpr std::size_t kStackBytes = 256 << 10;
constexpr std::uint32_t kRegionsMax = 1 << 16;
constexpr std::uint32_t kKeptMax = 1 << 18;
constexpr std::uint32_t kHotMax = 1 << 20;  // 4 GiB that one run writes
constexpr std::uint32_t kRangesMax = 1 << 12;
// More than this is given back rather than cleared: 16 MiB.
constexpr std::uintptr_t kClearedMax = 4096 * kPageBytes;

// Private mappings side by side, as they were.
struct Region {
  std::uintptr_t begin, end;
  bool is_zero;  // pages that have no copy are
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

class Ranges {
 public:
  bool empty() const { return count_ == 0; }
  bool is_full() const { return full_; }
  const Range* begin() const { return ranges_; }
  const Range* end() const { return ranges_ + count_; }
  void clear() { count_ = 0, full_ = false; }

  void add(std::uintptr_t begin, std::uintptr_t end) {
    for (std::uint32_t i = count_; i > 0 && i + 8 > count_; --i) {
      Range& other = ranges_[i - 1];
      if (begin > other.end || end < other.begin) continue;
      if (begin < other.begin) other.begin = begin;
      if (end > other.end) other.end = end;
      return;
    }
    full_ |= count_ == kRangesMax;
    if (!full_) ranges_[count_++] = {begin, end};
  }

 private:
  std::uint32_t count_;
  bool full_;
  Range ranges_[kRangesMax];
};

// All of it lies in the region that is not put back.
struct Store {
  std::uint32_t region_count, kept_count, hot_count;
  std::uintptr_t copies_end, copies_limit;
  std::uint64_t faults;  // when the last run had been put back
  Range excepted;
  Ranges discarded, unprotected;
  MappingList mappings;
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

char* page_at(std::uintptr_t address) { return reinterpret_cast<char*>(address); }

// A second copy of a large memory must not drive out others. What can be had for the asking is more
// than what is free, so some is allowed in any case.
std::uintptr_t room_for_copies() {
  constexpr std::uintptr_t kLeast = std::uintptr_t{256} << 20, kMost = std::uintptr_t{4} << 30;
  struct sysinfo info;
  if (raw_call(SYS_sysinfo, as_word(&info)) != 0) return kLeast;
  std::uintptr_t half = (info.freeram + info.bufferram) * info.mem_unit / 2;
  return half < kLeast ? kLeast : half > kMost ? kMost : half;
}

Result keep(std::uintptr_t begin, std::uintptr_t end) {
  Store& s = store();
  if (s.kept_count == kKeptMax || end - begin > s.copies_limit - s.copies_end)
    return Result::too_large;
  auto* copy = reinterpret_cast<char*>(s.copies_end);
  s.kept[s.kept_count++] = {begin, end, copy};
  for (std::uintptr_t page = begin; page < end; page += kPageBytes, copy += kPageBytes)
    copy_page(copy, page_at(page));
  s.copies_end += end - begin;
  return Result::done;
}

// The region of a mapping. Where protections differ there are two mappings, which may become one,
// or more.
Region* region_of(const Mapping& mapping, bool is_zero) {
  Store& s = store();
  Region* last = s.region_count > 0 ? &s.regions[s.region_count - 1] : nullptr;
  bool goes_on = last != nullptr && last->end == mapping.begin && !mapping.is_stack &&
                 last->is_zero == is_zero;
  if (!goes_on && s.region_count == kRegionsMax) return nullptr;
  if (!goes_on) s.regions[s.region_count++] = {mapping.begin, mapping.end, is_zero};
  Region* region = &s.regions[s.region_count - 1];
  region->end = mapping.end;
  return region;
}

// Of files that can be written to, every page is kept: which of them have been written to changes,
// and their other contents are not zero. Of all other memory those pages that are there.
Result add_mapping(const Mapping& mapping) {
  if (!mapping.is_private) return Result::done;
  Result result = Result::done;
  bool readable = (mapping.protection & PROT_READ) != 0;
  bool any_unread = false;
  if (mapping.of_file && mapping.is_writable()) {
    result = keep(mapping.begin, mapping.end);
  } else {
    auto add = [&](std::uintptr_t begin, std::uintptr_t end) {
      any_unread |= !readable;
      if (readable) result = keep(begin, end);
      return result == Result::done;
    };
    bool scanned = for_each_own_range(mapping.begin, mapping.end, add);
    if (!scanned && result == Result::done) result = Result::unsupported;
  }
  if (result != Result::done) return result;
  Store& s = store();
  Region* region = region_of(mapping, !mapping.of_file && !any_unread);
  if (region == nullptr) return Result::too_large;
  // The first stack grows downwards when it is used; what is there then was zero.
  if (mapping.is_stack) {
    std::uintptr_t below = s.region_count > 1 ? region[-1].end : 0;
    std::uintptr_t room = std::uintptr_t{1} << 30;
    region->begin = mapping.begin - below > room ? mapping.begin - room : below;
  }
  return Result::done;
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

// Null if the page has none.
const char* copy_of(std::uintptr_t page) {
  Store& s = store();
  const Kept* kept = last_before(s.kept, s.kept_count, page);
  return kept != nullptr && page < kept->end ? kept->copy + (page - kept->begin) : nullptr;
}

// Whether a page without a copy was zero.
bool was_zero(std::uintptr_t page) {
  Store& s = store();
  const Region* region = last_before(s.regions, s.region_count, page);
  return region != nullptr && page < region->end && region->is_zero;
}

Result add_hot(std::uintptr_t page) {
  Store& s = store();
  if (s.hot_count == kHotMax) return Result::too_large;
  const char* copy = copy_of(page);
  if (copy == nullptr && !was_zero(page)) return Result::mappings;
  s.hot[s.hot_count++] = {page_at(page), copy};
  return Result::done;
}

// Finds all pages that are exclusively ours, by their addresses.
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
  for (const Range& range : s.discarded) {
    const Kept* kept = last_before(s.kept, s.kept_count, range.begin);
    if (kept == nullptr) kept = s.kept;
    for (; kept < s.kept + s.kept_count && kept->begin < range.end; ++kept) {
      std::uintptr_t page = kept->begin > range.begin ? kept->begin : range.begin;
      for (; page < kept->end && page < range.end; page += kPageBytes)
        copy_page(page_at(page), kept->copy + (page - kept->begin));
    }
  }
  s.discarded.clear();
}

// Everything is mapped as it was, and can be written to where it may have been.
bool go_back_to_mappings() {
  Store& s = store();
  if (s.unprotected.is_full()) return false;
  for (const Range& range : s.unprotected)
    raw_call(SYS_mprotect, static_cast<long>(range.begin),
             static_cast<long>(range.end - range.begin), PROT_READ | PROT_WRITE);
  s.unprotected.clear();
  auto renewed = [&](std::uintptr_t begin, std::uintptr_t end) {
    s.discarded.add(begin, end);
    return true;
  };
  return s.mappings.go_back(Visit<std::uintptr_t, std::uintptr_t>(renewed)) &&
         !s.discarded.is_full();
}

bool is_same_word(std::uintptr_t address, std::uint64_t now, std::uint64_t then) {
  const Range& excepted = store().excepted;
  return now == then || (address >= excepted.begin && address < excepted.end);
}

bool is_same_page(std::uintptr_t page, const char* copy) {
  static const char zero[kPageBytes] = {};
  const auto* now = reinterpret_cast<const std::uint64_t*>(page);
  const auto* then = reinterpret_cast<const std::uint64_t*>(copy != nullptr ? copy : zero);
  constexpr std::uintptr_t kWords = kPageBytes / 8;
  std::uint64_t difference =
      0;  // without a branch for each word that is a loop of few instructions
  for (std::uintptr_t i = 0; i < kWords; ++i) difference |= now[i] ^ then[i];
  if (difference == 0) return true;
  for (std::uintptr_t i = 0; i < kWords; ++i)
    if (!is_same_word(page + i * 8, now[i], then[i])) return false;
  return true;
}

// Every page that is there is as it was, without a word of how it came to be so.
bool is_as_it_was() {
  Store& s = store();
  for (std::uint32_t i = 0; i < s.kept_count; ++i) {
    const Kept& kept = s.kept[i];
    for (std::uintptr_t page = kept.begin; page < kept.end; page += kPageBytes)
      if (!is_same_page(page, kept.copy + (page - kept.begin))) return false;
  }
  auto is_zero = [&](std::uintptr_t begin, std::uintptr_t end) {
    for (std::uintptr_t page = begin; page < end; page += kPageBytes)
      if (copy_of(page) == nullptr && was_zero(page) && !is_same_page(page, nullptr)) return false;
    return true;
  };
  for (std::uint32_t i = 0; i < s.mappings.size(); ++i) {
    const Mapping& mapping = s.mappings[i];
    bool counts = mapping.is_private && (mapping.protection & PROT_READ) != 0;
    if (counts && !for_each_own_range(mapping.begin, mapping.end, is_zero)) return false;
  }
  return true;
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
  s.copies_limit = kCopiesAt + room_for_copies();
  if (!s.mappings.take()) return Result::unsupported;
  for (std::uint32_t i = 0; i < s.mappings.size(); ++i)
    if (Result result = add_mapping(s.mappings[i]); result != Result::done) return result;
  Result result = find_hot();
  s.faults = page_faults();
  return result;
}

bool is_disturbed() {
  Store& s = store();
  return !s.discarded.empty() || page_faults() != s.faults;
}

Result restore(How how) {
  Store& s = store();
  std::uint32_t known = s.hot_count;
  bool quiet = !how.disturbed;
  if (s.discarded.is_full()) return Result::mappings;
  if (how.mapped && !go_back_to_mappings()) return Result::mappings;
  put_back_discarded();
  if (!quiet || how.look || how.mapped)
    if (Result found = find_hot(); found != Result::done) return found;
  put_back_hot();
  if (how.mapped && !s.mappings.protect_again()) return Result::mappings;
  bool missed = quiet && !how.mapped && s.hot_count > known;
  if (how.look) missed |= !s.mappings.is_same();
  if (how.compare) missed |= !is_as_it_was();
  if (!quiet || how.look || how.mapped) s.faults = page_faults();
  return missed ? Result::unseen : Result::done;
}

void except(std::uintptr_t address, std::size_t size) {
  store().excepted = {address, address + size};
}

bool clear(std::uintptr_t begin, std::uintptr_t end) {
  std::uintptr_t bytes = 0;
  auto count = [&](std::uintptr_t first, std::uintptr_t last) {
    bytes += last - first;
    return bytes <= kClearedMax;
  };
  auto clear_range = [&](std::uintptr_t first, std::uintptr_t last) {
    for (; first < last; first += kPageBytes) clear_page(page_at(first));
    return true;
  };
  return for_each_own_range(begin, end, count) && for_each_own_range(begin, end, clear_range);
}

void note_discarded(std::uintptr_t begin, std::uintptr_t end) { store().discarded.add(begin, end); }
void note_protected(std::uintptr_t begin, std::uintptr_t end) {
  store().unprotected.add(begin, end);
}

std::uint32_t hot_pages() { return store().hot_count; }

}  // namespace raddle::runtime::snapshot
