// SPDX-License-Identifier: Apache-2.0
//
// See page_scan.h.
#include "runtime/page_scan.h"

#include <fcntl.h>

#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

// As in the kernel's linux/fs.h from 6.7 on, which older headers lack.
struct ScanArgument {
  std::uint64_t size, flags, start, end, walk_end, ranges, range_count, pages_max;
  std::uint64_t inverted, all_of, any_of, returned;
};
static_assert(sizeof(ScanArgument) == 96);
struct ScanRange {
  std::uint64_t start, end, categories;
};
constexpr long kPagemapScan = 0xc0606610;
constexpr std::uint64_t kOfFile = 1 << 2, kPresent = 1 << 3, kSwapped = 1 << 4, kZeroPage = 1 << 5;
constexpr std::uint64_t kExclusive = std::uint64_t{1} << 56;  // an entry of the page map

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

constexpr const char* kPagemap = "/proc/self/pagemap";

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
        if (column_ == 1) line_.writable = c == 'w';
        if (column_ == 3) line_.is_private = c == 'p';
        break;
      case 4:
        line_.of_file |= c != '0';  // the inode
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
    number = number * 16 + static_cast<std::uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
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
  ScanRange ranges[kRanges];
  while (begin < end) {
    ScanArgument argument = {};
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
        if ((entries[i] & kExclusive) != 0 && !visit(first + i * kPageBytes)) return false;
      first += count * kPageBytes;
    }
    return true;
  };
  return scan(pagemap.number(), begin, end, Visit<std::uintptr_t, std::uintptr_t>(look));
}

bool can_scan_pages() {
  File pagemap(kPagemap);
  auto ignore = [](std::uintptr_t, std::uintptr_t) { return true; };
  return pagemap.is_open() && scan(pagemap.number(), kLowestAddress, 2 * kLowestAddress,
                                   Visit<std::uintptr_t, std::uintptr_t>(ignore));
}

}  // namespace raddle::runtime
