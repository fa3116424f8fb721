// SPDX-License-Identifier: Apache-2.0
//
// See mapping_list.h. Both lists are sorted by address, so they are compared in one pass; what has
// to be done is collected first, because it changes the list that is being read.
#include "runtime/mapping_list.h"

#include <sys/mman.h>

#include "runtime/memory_map.h"
#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

bool is_ours(const Mapping& mapping) {
  return mapping.begin >= kResidentBase && mapping.begin < kResidentEnd;
}

// Parts of one mapping, wherever they were cut.
bool same_source(const Mapping& a, const Mapping& b) {
  if (a.is_private != b.is_private || a.of_file != b.of_file) return false;
  return !a.of_file || (a.file == b.file && a.offset - a.begin == b.offset - b.begin);
}

}  // namespace

bool MappingList::take() {
  count_ = 0;
  return for_each_mapping([this](const Mapping& mapping) {
    if (is_ours(mapping)) return true;
    if (count_ == kMappingsMax) return false;
    mappings_[count_++] = mapping;
    return true;
  });
}

bool MappingList::add(const Change& change) {
  if (change_count_ == kChangesMax) return false;
  changes_[change_count_++] = change;
  return true;
}

bool MappingList::lose(const Mapping& then, std::uintptr_t begin, std::uintptr_t end) {
  if (then.of_file || !then.is_private || then.is_stack) return false;
  return add({begin, end, Step::renew, then.protection});
}

// Nothing is mapped from at_ to the address.
bool MappingList::pass_until(std::uintptr_t address) {
  for (; next_ < count_ && mappings_[next_].begin < address; ++next_) {
    const Mapping& then = mappings_[next_];
    std::uintptr_t begin = then.begin > at_ ? then.begin : at_;
    std::uintptr_t end = then.end < address ? then.end : address;
    if (begin < end && !lose(then, begin, end)) return false;
    if (then.end > address) break;
  }
  at_ = address;
  return true;
}

bool MappingList::compare_part(const Mapping& then, const Mapping& now, std::uintptr_t begin,
                               std::uintptr_t end) {
  if (!same_source(then, now)) return lose(then, begin, end);
  if (then.protection == now.protection || is_fiber_stack(begin)) return true;
  return add({begin, end, Step::protect, then.protection});
}

bool MappingList::meet(const Mapping& now) {
  if (is_ours(now)) return true;
  if (!pass_until(now.begin)) return false;
  while (at_ < now.end) {
    while (next_ < count_ && mappings_[next_].end <= at_) ++next_;
    const Mapping* then = next_ < count_ ? &mappings_[next_] : nullptr;
    std::uintptr_t until = then != nullptr && then->begin < now.end ? then->begin : now.end;
    if (at_ < until) {
      if (!now.is_stack && !add({at_, until, Step::unmap, 0})) return false;
      at_ = until;
      continue;
    }
    std::uintptr_t end = then->end < now.end ? then->end : now.end;
    if (!compare_part(*then, now, at_, end)) return false;
    at_ = end;
  }
  return true;
}

bool MappingList::compare() {
  change_count_ = next_ = 0;
  at_ = 0;
  return for_each_mapping([this](const Mapping& now) { return meet(now); }) &&
         pass_until(~std::uintptr_t{0});
}

bool MappingList::go_back(Visit<std::uintptr_t, std::uintptr_t> renewed) {
  if (!compare()) return false;
  for (std::uint32_t i = 0; i < change_count_; ++i) {
    const Change& change = changes_[i];
    auto begin = static_cast<long>(change.begin);
    auto size = static_cast<long>(change.end - change.begin);
    if (change.step == Step::unmap && raw_call(SYS_munmap, begin, size) != 0) return false;
    if (change.step != Step::renew) continue;
    constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (raw_call(SYS_mmap, begin, size, PROT_READ | PROT_WRITE, kFlags, -1, 0) != begin)
      return false;
    renewed(change.begin, change.end);
  }
  return true;
}

bool MappingList::protect_again() {
  for (std::uint32_t i = 0; i < change_count_; ++i) {
    const Change& change = changes_[i];
    if (change.step == Step::unmap) continue;
    if (raw_call(SYS_mprotect, static_cast<long>(change.begin),
                 static_cast<long>(change.end - change.begin), change.protection) != 0)
      return false;
  }
  change_count_ = 0;
  return true;
}

bool MappingList::is_same() {
  bool same = compare() && change_count_ == 0;
  change_count_ = 0;
  return same;
}

}  // namespace raddle::runtime
