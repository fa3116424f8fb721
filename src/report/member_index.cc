// SPDX-License-Identifier: Apache-2.0
//
// See member_index.h. Engine side.
#include "report/member_index.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>

#include "report/dwarf_module.h"
#include "report/dwarf_types.h"

namespace raddle::report {
namespace {

constexpr int kNestingMax = 32;

// Records may be declared in functions.
bool holds_records(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
         is_record(tag);
}

struct Found {
  Dwarf_Die record;  // that declares it
  std::uint64_t size;
};

std::optional<Found> find_member(Dwarf_Die record, const std::string& name, int depth) {
  std::optional<Found> found;
  any_child(&record, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    Dwarf_Die type;
    if (tag == DW_TAG_member && die_string(&child, DW_AT_name) == name)
      found = Found{record, type_of(&child, &type) ? size_of(&type).value_or(0) : 0};
    // Members of unnamed structures and unions count as the record's own.
    bool transparent = tag == DW_TAG_inheritance ||
                       (tag == DW_TAG_member && die_string(&child, DW_AT_name).empty());
    if (transparent && depth < kNestingMax && type_of(&child, &type) && is_record(dwarf_tag(&type)))
      if (auto inner = find_member(type, name, depth + 1))
        found = tag == DW_TAG_inheritance ? *inner : Found{record, inner->size};
    return found.has_value();
  });
  return found;
}

void collect(Dwarf_Die* scope, const std::string& name, std::vector<RecordMember>& all) {
  any_child(scope, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (is_record(tag)) {
      std::string record = die_string(&child, DW_AT_name);
      auto found = record.empty() ? std::nullopt : find_member(child, name, 0);
      if (found) {
        RecordMember member{qualified_name(&child), qualified_name(&found->record), found->size};
        // Units describe the records of common headers each for itself.
        if (std::ranges::find(all, member) == all.end()) all.push_back(std::move(member));
      }
    }
    if (holds_records(tag)) collect(&child, name, all);
    return false;
  });
}

bool any_function(Dwarf_Die* scope, std::string_view wanted, FunctionTest test) {
  return any_child(scope, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) {
      std::string linkage = demangled(die_string(&child, DW_AT_linkage_name));
      if (test(wanted, linkage.empty() ? declared_name(child) : linkage)) return true;
    }
    return holds_records(tag) && any_function(&child, wanted, test);
  });
}

}  // namespace

std::vector<RecordMember> records_with_member(DwarfModule& module, const std::string& name) {
  std::vector<RecordMember> all;
  for (DwarfModule::Unit unit : module.units()) collect(&unit.die, name, all);
  return all;
}

bool has_function(DwarfModule& module, std::string_view wanted, FunctionTest test) {
  return std::ranges::any_of(module.units(), [&](DwarfModule::Unit unit) {
    return any_function(&unit.die, wanted, test);
  });
}

}  // namespace raddle::report
