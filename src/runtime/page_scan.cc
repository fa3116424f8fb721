// SPDX-License-Identifier: Apache-2.0
//
// See page_scan.h.
#include "runtime/page_scan.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/pagemap_scan.h"
#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

// Categories of pages.
constexpr std::uint64_t kOfFile = 1 << 2, kPresent = 1 << 3, kSwapped = 1 << 4, kZeroPage = 1 << 5;
// Of an entry of the page map: mapped by nobody else, and no file's.
constexpr std::uint64_t kExclusive = std::uint64_t{1} << 56;
constexpr std::uint64_t kOwnBits = kExclusive | std::uint64_t{1} << 61;

class File {
 public:
  explicit File(const char* path)
      : number_(raw_call(SYS_open, as_word(path), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (is_open()) raw_call(SYS_close, number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return number_ >= 0; }
  long number() const { return number_; }

 private:
  long number_;
};

// Lines "BEGIN-END rwxp OFFSET DEVICE INODE   [stack]", character by character.
class MappingReader {
 public:
  // Whether a line has come to its end: then line() is complete.
  bool take(char c) {
    if (c == '\n') return true;
    if (c == ' ') {
      if (!was_space_) ++field_;
      was_space_ = true;
      return false;
    }
    if (was_space_) column_ = 0;
    was_space_ = false;
    switch (field_) {
      case 0:
        take_address(c);
        break;
      case 1:
        take_permission(c);
        break;
      case 2:
        line_.offset = line_.offset * 16 + hex_digit(c);
        break;
      case 4:
        line_.of_file |= c != '0';  // the inode
        [[fallthrough]];
      case 3:  // the device
        line_.file = line_.file * 131 + static_cast<unsigned char>(c);
        break;
      case 5:
        if (column_ < sizeof name_) name_[column_] = c;
        break;
      default:
        break;
    }
    ++column_;
    return false;
  }

  Mapping line() {
    constexpr char kStack[] = "[stack]";
    line_.is_stack = field_ == 5 && column_ == sizeof kStack - 1;
    for (unsigned i = 0; line_.is_stack && i < column_; ++i) line_.is_stack = name_[i] == kStack[i];
    Mapping line = line_;
    *this = MappingReader();
    return line;
  }

 private:
  void take_address(char c) {
    if (c == '-') {
      in_end_ = true;
      return;
    }
    std::uintptr_t& number = in_end_ ? line_.end : line_.begin;
    number = number * 16 + hex_digit(c);
  }

  void take_permission(char c) {
    if (c == 'r') line_.protection |= PROT_READ;
    if (c == 'w') line_.protection |= PROT_WRITE;
    if (c == 'x') line_.protection |= PROT_EXEC;
    if (c == 'p') line_.is_private = true;
  }

  static std::uint64_t hex_digit(char c) {
    return static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }

  Mapping line_ = {};
  unsigned field_ = 0;
  unsigned column_ = 0;
  bool was_space_ = false;
  bool in_end_ = false;
  char name_[8] = {};
};

bool scan(long file, std::uintptr_t begin, std::uintptr_t end,
          Visit<std::uintptr_t, std::uintptr_t> visit) {
  constexpr unsigned kRanges = 128;
  PagemapRange ranges[kRanges];
  while (begin < end) {
    PagemapScan argument = {};
    argument.size = sizeof argument;
    argument.start = begin;
    argument.end = end;
    argument.ranges = reinterpret_cast<std::uint64_t>(ranges);
    argument.range_count = kRanges;
    argument.inverted = argument.all_of = kOfFile | kZeroPage;  // neither of them
    argument.any_of = kPresent | kSwapped;
    argument.returned = kPresent;
    long count = raw_call(SYS_ioctl, file, kPagemapScan, as_word(&argument));
    if (count < 0) return false;
    for (long i = 0; i < count; ++i)
      if (!visit(ranges[i].start, ranges[i].end)) return false;
    if (argument.walk_end <= begin) return false;
    begin = argument.walk_end;
  }
  return true;
}

}  // namespace

bool Mapping::is_writable() const { return (protection & PROT_WRITE) != 0; }

bool visit_mappings(Visit<const Mapping&> visit) {
  File maps("/proc/self/maps");
  if (!maps.is_open()) return false;
  MappingReader reader;
  char buffer[4096];
  for (;;) {
    long size = raw_call(SYS_read, maps.number(), as_word(buffer), sizeof buffer);
    if (size <= 0) return size == 0;
    for (long i = 0; i < size; ++i) {
      if (!reader.take(buffer[i])) continue;
      Mapping line = reader.line();
      bool of_kernel = line.begin >= kHighestAddress;  // the page of old system calls
      if (!of_kernel && !visit(line)) return false;
    }
  }
}

bool visit_own_ranges(std::uintptr_t begin, std::uintptr_t end,
                      Visit<std::uintptr_t, std::uintptr_t> visit) {
  File pagemap(kPagemap);
  return pagemap.is_open() && scan(pagemap.number(), begin, end, visit);
}

bool visit_exclusive_pages(std::uintptr_t begin, std::uintptr_t end, Visit<std::uintptr_t> visit) {
  File pagemap(kPagemap);
  if (!pagemap.is_open()) return false;
  auto look = [&](std::uintptr_t first, std::uintptr_t last) {
    constexpr std::uintptr_t kEntries = 512;
    std::uint64_t entries[kEntries];
    while (first < last) {
      std::uintptr_t count = (last - first) / kPageBytes;
      if (count > kEntries) count = kEntries;
      long bytes = static_cast<long>(count * 8);
      if (raw_call(SYS_pread64, pagemap.number(), as_word(entries), bytes,
                   static_cast<long>(first / kPageBytes * 8)) != bytes)
        return false;
      for (std::uintptr_t i = 0; i < count; ++i)
        if ((entries[i] & kOwnBits) == kExclusive && !visit(first + i * kPageBytes)) return false;
      first += count * kPageBytes;
    }
    return true;
  };
  // Ranges that lie close together are read in one go.
  constexpr std::uintptr_t kNear = 64 * kPageBytes;
  std::uintptr_t from = 0, to = 0;
  auto join = [&](std::uintptr_t first, std::uintptr_t last) {
    if (first - to <= kNear && to != 0) {
      to = last;
      return true;
    }
    bool go_on = look(from, to);
    from = first;
    to = last;
    return go_on;
  };
  return scan(pagemap.number(), begin, end, Visit<std::uintptr_t, std::uintptr_t>(join)) &&
         look(from, to);
}

std::uint64_t page_faults() {
  rusage usage;
  raw_call(SYS_getrusage, RUSAGE_THREAD, as_word(&usage));
  return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

}  // namespace raddle::runtime
