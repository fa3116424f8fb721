// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations that nobody sees: code with locked instructions. What raddle's compiler wrapper
// compiles calls the runtime for every atomic operation, so such code is assembly, written by hand
// or inside a function, or was compiled without it. Engine side.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace raddle::report {

// The functions of an object file that have locked instructions, in the order of their addresses;
// empty also if the file cannot be read. Of an object without symbols the sections.
std::vector<std::string> locked_functions(const std::string& path);

// The same for single places, which are asked for again and again.
class LockedCode {
 public:
  // The function at this code offset if it has locked instructions, else "".
  const std::string& function_at(const std::string& path, std::uint64_t offset);

 private:
  std::map<std::pair<std::string, std::uint64_t>, std::string> known_;
};

}  // namespace raddle::report
