// SPDX-License-Identifier: Apache-2.0
//
// See dwarf_types.h. Engine side.
#include "report/dwarf_types.h"

#include <dwarf.h>

#include <cctype>
#include <cstdlib>

namespace raddle::report {

// The type of a variable, member or array, without typedefs and qualifiers.
bool type_of(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr) return false;
  if (dwarf_formref_die(&attribute, type) == nullptr) return false;
  return dwarf_peel_type(type, type) == 0;
}

std::optional<Dwarf_Word> size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(type, &size) != 0) return std::nullopt;
  return size;
}

std::optional<Dwarf_Word> unsigned_attribute(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, name, &attribute) == nullptr) return std::nullopt;
  if (dwarf_formudata(&attribute, &value) != 0) return std::nullopt;
  return value;
}

// The numbers of elements of an array's dimensions; empty if one is unknown.
std::vector<Dwarf_Word> dimensions(Dwarf_Die* array) {
  std::vector<Dwarf_Word> counts;
  bool known = !any_child(array, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return false;
    std::optional<Dwarf_Word> count = unsigned_attribute(&child, DW_AT_count);
    if (!count)
      if (auto upper = unsigned_attribute(&child, DW_AT_upper_bound)) count = *upper + 1;
    if (!count || *count == 0) return true;
    counts.push_back(*count);
    return false;
  });
  return known ? counts : std::vector<Dwarf_Word>();
}

bool is_record(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_reserved(const std::string& name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

namespace {

// `functions`: those around it count as scopes, too.
std::string scoped_name(Dwarf_Die* die, bool functions) {
  std::string name = die_string(die, DW_AT_name);
  if (name.empty()) return "";
  Dwarf_Die* scopes = nullptr;
  int count = dwarf_getscopes_die(die, &scopes);
  // The first is the entry itself.
  for (int i = 1; i < count; ++i) {
    int tag = dwarf_tag(&scopes[i]);
    bool scope = tag == DW_TAG_namespace || is_record(tag);
    if (!scope && !(functions && tag == DW_TAG_subprogram)) continue;
    std::string outer = die_string(&scopes[i], DW_AT_name);
    if (!outer.empty()) name = outer + "::" + name;
  }
  std::free(scopes);
  return name;
}

}  // namespace

std::string qualified_name(Dwarf_Die* die) { return scoped_name(die, false); }

std::string declared_name(Dwarf_Die function) {
  constexpr int kStepsMax = 8;
  for (int i = 0; i < kStepsMax; ++i) {
    Dwarf_Attribute link;
    if (dwarf_attr(&function, DW_AT_abstract_origin, &link) == nullptr &&
        dwarf_attr(&function, DW_AT_specification, &link) == nullptr)
      break;
    Dwarf_Die declaration;
    if (dwarf_formref_die(&link, &declaration) == nullptr) break;
    function = declaration;
  }
  return scoped_name(&function, true);
}

}  // namespace raddle::report
