// SPDX-License-Identifier: Apache-2.0
//
// Variables by address. Engine side. All variables with a fixed address are indexed once, when the
// first name is asked for; the path through arrays and structures is then read off the type.
//
// The insides of the C++ library are not named: its members have reserved names, and a mutex or an
// atomic is to be called by the user's name for it. std::array's elements are the exception.
#include "report/variable_namer.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "report/cpp_names.h"
#include "report/dwarf_types.h"

namespace raddle::report {
namespace {

std::optional<Dwarf_Addr> fixed_address(Dwarf_Die* die) {
  Dwarf_Attribute location;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(die, DW_AT_location, &location) == nullptr) return std::nullopt;
  if (dwarf_getlocation(&location, &ops, &count) != 0 || count != 1) return std::nullopt;
  if (ops[0].atom == DW_OP_addr) return ops[0].number;
  if (ops[0].atom != DW_OP_addrx) return std::nullopt;
  Dwarf_Attribute indirect;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(&location, &ops[0], &indirect) != 0) return std::nullopt;
  if (dwarf_formaddr(&indirect, &address) != 0) return std::nullopt;
  return address;
}

// GCC describes the functions of local classes and lambdas inside of these, those of other classes
// beside them.
bool holds_function_bodies(Dwarf_Die* record, bool is_local) {
  return is_local || die_string(record, DW_AT_name).starts_with("<lambda");
}

// Not dwarf_decl_file(): clang counts files from 0, which libdw takes for "none".
std::string declaration_file(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Word index = 0;
  if (dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &index) != 0)
    return "";
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  // Of the unit that holds the attribute, which may be another one than that of the entry.
  if (dwarf_cu_die(attribute.cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
          nullptr ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count)
    return "";
  const char* path = dwarf_filesrc(files, index, nullptr, nullptr);
  return path == nullptr ? "" : std::filesystem::path(path).lexically_normal().string();
}

struct Inside {
  Dwarf_Die type;
  Dwarf_Word offset;
  std::string path;
  bool lists_members = false;
  std::vector<std::string> members;  // "bank::Account::balance", if they are asked for
  std::vector<std::string> derived;  // the records that the type is a base of, here
};

// Notes that the way goes on into the member.
void list_member(Inside& at, Dwarf_Die* record, const std::string& name) {
  at.derived.push_back(qualified_name(record));
  for (const std::string& owner : at.derived)
    if (!owner.empty()) at.members.push_back(owner + "::" + name);
  at.derived.clear();
}

bool enter_array(Inside& at) {
  Dwarf_Die element;
  if (!type_of(&at.type, &element)) return false;
  std::optional<Dwarf_Word> size = size_of(&element);
  std::vector<Dwarf_Word> counts = dimensions(&at.type);
  if (!size || *size == 0 || counts.empty()) return false;
  Dwarf_Word index = at.offset / *size;
  at.offset %= *size;
  std::string brackets;
  for (std::size_t i = counts.size(); i-- > 0;) {
    brackets = fmt::format("[{}]{}", i == 0 ? index : index % counts[i], brackets);
    index /= counts[i];
  }
  at.path += brackets;
  at.type = element;
  return true;
}

// Goes into the member or base class that holds the offset.
bool enter_record(Inside& at) {
  Dwarf_Die record = at.type;
  return any_child(&record, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return false;
    std::optional<Dwarf_Word> begin = unsigned_attribute(&child, DW_AT_data_member_location);
    if (!begin && dwarf_tag(&record) != DW_TAG_union_type) return false;  // static, or a bit field
    Dwarf_Die type;
    if (!type_of(&child, &type)) return false;
    std::optional<Dwarf_Word> size = size_of(&type);
    Dwarf_Word start = begin.value_or(0);
    if (!size || at.offset < start || at.offset - start >= *size) return false;
    std::string name = die_string(&child, DW_AT_name);
    bool transparent = tag == DW_TAG_inheritance || name.empty() || name == "_M_elems";
    if (!transparent && is_reserved(name)) return false;
    if (!transparent) at.path += "." + name;
    if (at.lists_members && !transparent) list_member(at, &record, name);
    // Elements of std::array are no members of it.
    if (at.lists_members && transparent && name != "_M_elems")
      at.derived.push_back(qualified_name(&record));
    at.type = type;
    at.offset -= start;
    return true;
  });
}

// Whether the byte belongs to no member of the type. Bit fields make it unknown: then no.
bool lies_between_members(Dwarf_Die type, Dwarf_Word offset, int depth) {
  constexpr int kNestingMax = 32;
  int tag = dwarf_tag(&type);
  if (depth == kNestingMax) return false;
  if (tag == DW_TAG_array_type) {
    Dwarf_Die element;
    if (!type_of(&type, &element)) return false;
    std::optional<Dwarf_Word> size = size_of(&element);
    return size && *size != 0 && lies_between_members(element, offset % *size, depth + 1);
  }
  if (!is_record(tag)) return false;
  bool known = false;
  bool covered = any_child(&type, [&](Dwarf_Die& child) {
    int child_tag = dwarf_tag(&child);
    if (child_tag != DW_TAG_member && child_tag != DW_TAG_inheritance) return false;
    if (dwarf_hasattr(&child, DW_AT_external) != 0) return false;  // a static member
    if (dwarf_hasattr(&child, DW_AT_bit_size) != 0) return true;
    bool in_union = tag == DW_TAG_union_type;
    std::optional<Dwarf_Word> begin = unsigned_attribute(&child, DW_AT_data_member_location);
    Dwarf_Die inner;
    // A virtual base lies where an expression says.
    if ((!begin && !in_union) || !type_of(&child, &inner)) return true;
    std::optional<Dwarf_Word> size = size_of(&inner);
    if (!size) return true;
    known = true;
    Dwarf_Word start = begin.value_or(0);
    if (offset < start || offset - start >= *size) return false;
    return !lies_between_members(inner, offset - start, depth + 1);
  });
  // A record without members is known by its declaration only, or its byte means nothing.
  return known && !covered;
}

void enter(Inside& at) {
  constexpr int kNestingMax = 32;
  for (int depth = 0; depth < kNestingMax; ++depth) {
    int tag = dwarf_tag(&at.type);
    bool entered = tag == DW_TAG_array_type ? enter_array(at) : is_record(tag) && enter_record(at);
    if (!entered) return;
  }
}

}  // namespace

std::string path_inside(Dwarf_Die* variable, Dwarf_Word offset) {
  Inside at;
  if (!type_of(variable, &at.type)) return offset == 0 ? "" : fmt::format("+{}", offset);
  at.offset = offset;
  enter(at);
  if (at.offset != 0) at.path += fmt::format("+{}", at.offset);
  return at.path;
}

// GCC describes variables without external linkage by their bare name: their symbol says more.
std::string VariableNamer::variable_name(Variable variable) const {
  std::string readable = demangled(die_string(&variable.die, DW_AT_linkage_name));
  if (!readable.empty()) return static_name(readable);
  std::string mangled = symbol(variable.begin);
  if (mangled.find("::") != std::string::npos) return mangled;
  return die_string(&variable.die, DW_AT_name);
}

void VariableNamer::index_variables() {
  if (indexed_) return;
  indexed_ = true;
  for (DwarfModule::Unit unit : module_.units()) index_scope(&unit.die, unit.bias, nullptr);
  std::sort(variables_.begin(), variables_.end(),
            [](const Variable& a, const Variable& b) { return a.begin < b.begin; });
}

void VariableNamer::index_scope(Dwarf_Die* scope, Dwarf_Addr bias, Dwarf_Die* function) {
  any_child(scope, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) index_variable(&child, bias, function);
    // Functions and their blocks hold static locals.
    if (tag == DW_TAG_subprogram)
      index_scope(&child, bias, &child);
    else if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block ||
             (is_record(tag) && holds_function_bodies(&child, function != nullptr)))
      index_scope(&child, bias, function);
    return false;
  });
}

void VariableNamer::index_variable(Dwarf_Die* die, Dwarf_Addr bias, Dwarf_Die* function) {
  std::optional<Dwarf_Addr> begin = fixed_address(die);
  Dwarf_Die type;
  if (!begin || *begin == 0 || !type_of(die, &type)) return;
  Dwarf_Word size = std::max<Dwarf_Word>(size_of(&type).value_or(1), 1);
  variables_.push_back({*begin + bias, *begin + bias + size, *die,
                        function != nullptr ? *function : Dwarf_Die{}, function != nullptr});
}

const VariableNamer::Variable* VariableNamer::find(Dwarf_Addr address) const {
  auto after = std::upper_bound(variables_.begin(), variables_.end(), address,
                                [](Dwarf_Addr a, const Variable& v) { return a < v.begin; });
  if (after == variables_.begin() || address >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

std::string VariableNamer::symbol(Dwarf_Addr address) const {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module_.handle(), address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size)
    return "";
  std::string readable = static_name(demangled(name));
  if (readable.empty()) readable = name;
  return offset == 0 ? readable : fmt::format("{}+{}", readable, offset);
}

std::string VariableNamer::name(std::uint64_t offset) {
  index_variables();
  Dwarf_Addr address = module_.address(offset);
  if (const Variable* variable = find(address)) {
    Dwarf_Die die = variable->die;
    std::string name = variable_name(*variable);
    if (!name.empty()) return name + path_inside(&die, address - variable->begin);
  }
  return symbol(address);
}

std::vector<std::string> VariableNamer::members(std::uint64_t offset) {
  index_variables();
  Dwarf_Addr address = module_.address(offset);
  const Variable* variable = find(address);
  Inside at;
  Dwarf_Die die = variable == nullptr ? Dwarf_Die{} : variable->die;
  if (variable == nullptr || !type_of(&die, &at.type)) return {};
  at.offset = address - variable->begin;
  at.lists_members = true;
  enter(at);
  return std::move(at.members);
}

std::string VariableNamer::exported_symbol(Dwarf_Addr address) const {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module_.handle(), address, &offset, &symbol, nullptr, nullptr, nullptr);
  bool exported = name != nullptr && offset == 0 && GELF_ST_BIND(symbol.st_info) != STB_LOCAL &&
                  GELF_ST_VISIBILITY(symbol.st_other) == STV_DEFAULT;
  return exported ? name : "";
}

StaticVariable VariableNamer::describe(const Variable& variable) const {
  StaticVariable result;
  result.offset = variable.begin - module_.address(0);
  result.size = variable.end - variable.begin;
  result.name = variable_name(variable);
  result.symbol = exported_symbol(variable.begin);
  Dwarf_Die die = variable.die;
  Dwarf_Die function = variable.function;
  if (variable.has_function && result.name.find("::") == std::string::npos)
    result.function = die_string(&function, DW_AT_name);
  result.file = declaration_file(&die);
  if (dwarf_decl_line(&die, &result.line) != 0) result.line = 0;
  return result;
}

std::vector<StaticVariable> VariableNamer::writable_variables() {
  index_variables();
  std::vector<StaticVariable> result;
  Dwarf_Addr end = 0;
  for (const Variable& variable : variables_) {
    // Units describe inline variables and instances of templates each for itself.
    if (variable.begin < end) continue;
    if (!module_.is_writable(variable.begin, variable.end)) continue;
    StaticVariable found = describe(variable);
    if (found.name.empty()) continue;
    end = variable.end;
    result.push_back(std::move(found));
  }
  return result;
}

bool VariableNamer::is_padding(std::uint64_t offset) {
  index_variables();
  Dwarf_Addr address = module_.address(offset);
  const Variable* variable = find(address);
  if (variable == nullptr) return false;
  Dwarf_Die die = variable->die;
  Dwarf_Die type;
  return type_of(&die, &type) && lies_between_members(type, address - variable->begin, 0);
}

}  // namespace raddle::report
