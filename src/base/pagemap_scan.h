// SPDX-License-Identifier: Apache-2.0
//
// PAGEMAP_SCAN of Linux 6.7, which headers of older systems lack: which pages of a range are there.
// Both sides: the runtime asks (src/runtime/page_scan.cc), `raddle doctor` looks whether it can.
#pragma once

#include <cstdint>

namespace raddle {

// As in the kernel's linux/fs.h.
struct PagemapScan {
  std::uint64_t size, flags, start, end, walk_end, ranges, range_count, pages_max;
  std::uint64_t inverted, all_of, any_of, returned;
};
static_assert(sizeof(PagemapScan) == 96);
struct PagemapRange {
  std::uint64_t start, end, categories;
};
inline constexpr long kPagemapScan = 0xc0606610;
inline constexpr const char* kPagemap = "/proc/self/pagemap";

}  // namespace raddle
