// SPDX-License-Identifier: Apache-2.0
//
// What the table of symbols of an object file knows about variables and debug information does not:
// the guards in which compilers keep whether a static local has been made. Engine side.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "report/dwarf_module.h"

namespace raddle::report {

struct StaticGuard {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t variable = 0;  // offset of what it guards
};

struct StaticSymbols {
  std::vector<StaticGuard> guards;               // by the variable's offset
  std::map<std::uint64_t, std::uint64_t> sizes;  // of variables, by offset
};

// Null if the object has no symbols of its own, so that there may be guards that nobody knows of.
std::optional<StaticSymbols> static_symbols(const DwarfModule& module);

}  // namespace raddle::report
