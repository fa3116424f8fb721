// SPDX-License-Identifier: Apache-2.0
//
// The structures, classes and unions of an object file that have a member of some name. Engine
// side; a part of Symbolizer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::report {

class DwarfModule;

// A data member, as one of a record or of its bases.
struct RecordMember {
  std::string record;       // "bank::Savings"
  std::string declared_by;  // "bank::Account": the record or a base of it
  std::uint64_t size = 0;   // 0: unknown
  friend bool operator==(const RecordMember&, const RecordMember&) = default;
};

// Every record of the object with such a member, once. Reads all of its debug information.
std::vector<RecordMember> records_with_member(DwarfModule& module, const std::string& name);

// Whether a function for which the test is true has code in the object.
using FunctionTest = bool (*)(std::string_view wanted, std::string_view demangled);
bool has_function(DwarfModule& module, std::string_view wanted, FunctionTest test);

}  // namespace raddle::report
