// SPDX-License-Identifier: Apache-2.0
//
// Symbolizer: from places in object files to functions, source lines and variables. Engine side.
// Files that are missing, stripped or no objects give frames that know only module and offset.
// Everything is cached: a campaign that keeps going asks for the same places again and again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "facts/finding.h"

namespace raddle::report {

class DwarfModule;
class VariableNamer;

class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();

  // The frames at exactly this code offset, innermost first: several if functions were inlined,
  // never none. For a return address pass the offset minus one.
  const std::vector<facts::Frame>& frames(const std::string& path, std::uint64_t offset);

  // The variable at this data offset, such as `accounts[1].balance`; empty if there is none.
  const std::string& variable(const std::string& path, std::uint64_t offset);

 private:
  struct Object;
  using Place = std::pair<std::string, std::uint64_t>;

  Object& object(const std::string& path);

  std::map<std::string, std::unique_ptr<Object>> objects_;
  std::map<Place, std::vector<facts::Frame>> frames_;
  std::map<Place, std::string> variables_;
};

}  // namespace raddle::report
