// SPDX-License-Identifier: Apache-2.0
//
// What the kernel knows about the memory of this process: its mappings, and which pages are there.
// Target side; no libc, no allocation.
//
// PAGEMAP_SCAN (Linux 6.7) skips what is not there, so that tables of terabytes are looked through
// in microseconds; that a page is mapped by nobody else is told by /proc/self/pagemap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::runtime {

inline constexpr std::uintptr_t kPageBytes = 4096;
inline constexpr std::uintptr_t kLowestAddress = 0x10000;
inline constexpr std::uintptr_t kHighestAddress = 0x7fff'ffff'f000;

struct Mapping {
  std::uintptr_t begin, end;
  std::uint64_t offset;  // into the file
  std::uint64_t file;    // which one it is
  int protection;        // as mprotect takes it
  bool is_private;
  bool of_file;
  bool is_stack;  // that the process began on

  bool is_writable() const;
};

// A function and what it refers to, while it is called.
template <class... Arguments>
class Visit {
 public:
  template <class Function>
  Visit(Function& function)  // NOLINT: it is meant to be made of functions
      : context_(&function), call_([](void* context, Arguments... arguments) {
          return (*static_cast<Function*>(context))(arguments...);
        }) {}
  // False: that is enough.
  bool operator()(Arguments... arguments) const { return call_(context_, arguments...); }

 private:
  void* context_;
  bool (*call_)(void*, Arguments...);
};

// In the order of addresses. False if the kernel does not tell, or the function had enough.
bool visit_mappings(Visit<const Mapping&> visit);
// Ranges of pages that are there and do not belong to a file: written by us, or before a fork.
bool visit_own_ranges(std::uintptr_t begin, std::uintptr_t end,
                      Visit<std::uintptr_t, std::uintptr_t> visit);
// Of these, pages that no other process has.
bool visit_exclusive_pages(std::uintptr_t begin, std::uintptr_t end, Visit<std::uintptr_t> visit);

template <class Function>
bool for_each_mapping(Function function) {
  return visit_mappings(Visit<const Mapping&>(function));
}
template <class Function>
bool for_each_own_range(std::uintptr_t begin, std::uintptr_t end, Function function) {
  return visit_own_ranges(begin, end, Visit<std::uintptr_t, std::uintptr_t>(function));
}
template <class Function>
bool for_each_exclusive_page(std::uintptr_t begin, std::uintptr_t end, Function function) {
  return visit_exclusive_pages(begin, end, Visit<std::uintptr_t>(function));
}

// How many the current kernel thread has had.
std::uint64_t page_faults();

}  // namespace raddle::runtime
