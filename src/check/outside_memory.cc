// SPDX-License-Identifier: Apache-2.0
//
// See outside_memory.h. Engine side, in the program's process.
#include "check/outside_memory.h"

#include <link.h>
#include <stdio.h>

#include <algorithm>

namespace raddle::check {
namespace {

template <class Ranges>
bool any_holds(const Ranges& ranges, std::uintptr_t address) {
  auto after =
      std::ranges::upper_bound(ranges, address, {}, [](auto& range) { return range.begin; });
  return after != ranges.begin() && address < std::prev(after)->end;
}

}  // namespace

OutsideMemory::OutsideMemory() {
  if (FILE* maps = fopen("/proc/self/maps", "re")) {
    char line[512];
    unsigned long begin, end;
    char writable;
    while (fgets(line, sizeof line, maps) != nullptr)
      if (sscanf(line, "%lx-%lx %*c%c", &begin, &end, &writable) == 3 && writable == 'w')
        mapped_.push_back({begin, end});
    fclose(maps);
  }
  auto add = [](dl_phdr_info* info, std::size_t, void* data) {
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
      if (header.p_type == PT_LOAD)
        static_cast<std::vector<Range>*>(data)->push_back({begin, begin + header.p_memsz});
    }
    return 0;
  };
  dl_iterate_phdr(add, &objects_);
  std::ranges::sort(objects_, {}, &Range::begin);
}

bool OutsideMemory::holds(std::uintptr_t address) const {
  return any_holds(mapped_, address) && !any_holds(objects_, address);
}

}  // namespace raddle::check
