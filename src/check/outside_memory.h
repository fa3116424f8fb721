// SPDX-License-Identifier: Apache-2.0
//
// Memory of this process that is neither code nor data of an object file: heaps, stacks, what was
// mapped. Engine side, in the program's process.
#pragma once

#include <cstdint>
#include <vector>

namespace raddle::check {

class OutsideMemory {
 public:
  // As it is now.
  OutsideMemory();

  bool holds(std::uintptr_t address) const;

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  std::vector<Range> mapped_;   // that can be written to, by address
  std::vector<Range> objects_;  // by address
};

}  // namespace raddle::check
