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
#include "report/member_index.h"

namespace raddle::report {

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

  // The local variable of the function at this code offset that lies so far from the end of its
  // frame; empty if there is none. For a return address pass the code offset minus one.
  const std::string& local(const std::string& path, std::uint64_t code, std::int64_t offset);

  // The functions at this code offset, innermost first, with parameters where these are known. Not
  // cached.
  std::vector<std::string> functions(const std::string& path, std::uint64_t offset);

  // The function symbol that covers this code offset, with parameters where it has any, and how far
  // into it: `transfer(int)+0x2b`. Empty if there is none. Not cached.
  std::string symbol_place(const std::string& path, std::uint64_t offset);

  // The members that this data offset lies in, as VariableNamer says. Not cached.
  std::vector<std::string> members(const std::string& path, std::uint64_t offset);

  // What an object has of the name; these read all of its debug information.
  std::vector<RecordMember> records_with_member(const std::string& path, const std::string& member);
  bool has_function(const std::string& path, std::string_view wanted);
  bool has_variable(const std::string& path, std::string_view wanted);

 private:
  struct Object;
  using Place = std::pair<std::string, std::uint64_t>;

  Object& object(const std::string& path);

  std::map<std::string, std::unique_ptr<Object>> objects_;
  std::map<Place, std::vector<facts::Frame>> frames_;
  std::map<Place, std::string> variables_;
  std::map<std::pair<Place, std::int64_t>, std::string> locals_;
};

}  // namespace raddle::report
