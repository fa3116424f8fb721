// SPDX-License-Identifier: Apache-2.0
//
// Symbolizer on libdw. Engine side. A code address is resolved by finding its unit, then walking
// down the unit's functions, inlined calls and blocks that contain it; the lines of the outer
// frames are the places of the inlined calls.
#include "report/symbolizer.h"

#include <dwarf.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "facts/module_table.h"
#include "report/cpp_names.h"
#include "report/dwarf_module.h"
#include "report/dwarf_types.h"
#include "report/local_namer.h"
#include "report/name_match.h"
#include "report/variable_namer.h"

namespace raddle::report {
namespace {

using facts::Frame;

std::string normal_path(const char* path) {
  if (path == nullptr || path[0] == '\0') return "";
  return std::filesystem::path(path).lexically_normal().string();
}

// The function symbol that covers the address, demangled where it is mangled; "" if there is none.
std::string symbol_name(DwarfModule& module, Dwarf_Addr address) {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module.handle(), address, &offset, &symbol, nullptr, nullptr, nullptr);
  // Beyond its end a symbol is only the nearest one, not the right one; size 0 means unknown.
  if (name == nullptr || (symbol.st_size != 0 && offset >= symbol.st_size)) return "";
  std::string readable = demangled(name);
  return readable.empty() ? name : function_name(readable);
}

// GCC describes functions without external linkage by their bare name: their symbol says more, but
// only where the function was not inlined.
std::string die_function(DwarfModule& module, Dwarf_Die* die, Dwarf_Addr address) {
  std::string linkage = die_string(die, DW_AT_linkage_name);
  if (linkage.empty()) linkage = die_string(die, DW_AT_MIPS_linkage_name);
  std::string readable = demangled(linkage);
  if (!readable.empty()) return function_name(readable);
  std::string name = die_string(die, DW_AT_name);
  if (dwarf_tag(die) == DW_TAG_inlined_subroutine) return name;
  std::string symbol = symbol_name(module, address);
  bool says_more = symbol.find("::") != std::string::npos;
  return name.empty() || says_more ? symbol : name;
}

// The same with parameters, where they are known.
std::string whole_function(DwarfModule& module, Dwarf_Die* die, Dwarf_Addr address) {
  std::string readable = demangled(die_string(die, DW_AT_linkage_name));
  if (!readable.empty()) return readable;
  if (dwarf_tag(die) == DW_TAG_inlined_subroutine) return declared_name(*die);
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module.handle(), address, &offset, &symbol, nullptr, nullptr, nullptr);
  bool right = name != nullptr && (symbol.st_size == 0 || offset < symbol.st_size);
  if (right) readable = demangled(name);
  return readable.empty() ? declared_name(*die) : readable;
}

bool is_function(int tag) { return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine; }

bool is_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_lexical_block;
}

// Appends the functions that contain the address, outermost first. `everywhere` also looks into
// functions that do not contain it: members of local classes are sometimes described there.
bool containing_functions(Dwarf_Die* die, Dwarf_Addr address, bool everywhere,
                          std::vector<Dwarf_Die>& chain) {
  return any_child(die, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (is_function(tag) && dwarf_haspc(&child, address) > 0) {
      chain.push_back(child);
      containing_functions(&child, address, false, chain);
      return true;
    }
    if (is_scope(tag) || (everywhere && tag == DW_TAG_subprogram))
      return containing_functions(&child, address, everywhere, chain);
    return false;
  });
}

// The functions that contain the address, outermost first.
std::vector<Dwarf_Die> function_chain(Dwarf_Die* unit, Dwarf_Addr address) {
  std::vector<Dwarf_Die> chain;
  if (!containing_functions(unit, address, false, chain))
    containing_functions(unit, address, true, chain);
  return chain;
}

std::string call_file(Dwarf_Die* inlined, Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word index = 0;
  if (dwarf_attr(inlined, DW_AT_call_file, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &index) != 0)
    return "";
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) return "";
  return normal_path(dwarf_filesrc(files, index, nullptr, nullptr));
}

int call_line(Dwarf_Die* inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0;
  if (dwarf_attr(inlined, DW_AT_call_line, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &line) != 0)
    return 0;
  return static_cast<int>(line);
}

std::vector<Frame> debug_frames(DwarfModule& module, Dwarf_Addr address, const Frame& plain) {
  const DwarfModule::Unit* found = module.unit_of(address);
  if (found == nullptr) return {};
  Dwarf_Die unit = found->die;
  Dwarf_Addr own = address - found->bias;
  Frame next = plain;
  if (Dwarf_Line* line = dwarf_getsrc_die(&unit, own)) {
    next.file = normal_path(dwarf_linesrc(line, nullptr, nullptr));
    dwarf_lineno(line, &next.line);
  }
  std::vector<Dwarf_Die> chain = function_chain(&unit, own);
  std::vector<Frame> frames;
  for (std::size_t i = chain.size(); i-- > 0;) {
    next.function = die_function(module, &chain[i], address);
    next.inlined = dwarf_tag(&chain[i]) == DW_TAG_inlined_subroutine;
    frames.push_back(next);
    if (next.inlined) {
      next.file = call_file(&chain[i], &unit);
      next.line = call_line(&chain[i]);
    }
  }
  if (frames.empty() && !next.file.empty()) frames.push_back(next);
  return frames;
}

}  // namespace

struct Symbolizer::Object {
  std::unique_ptr<DwarfModule> module;
  std::unique_ptr<VariableNamer> variables;
};

Symbolizer::Symbolizer() = default;
Symbolizer::~Symbolizer() = default;

Symbolizer::Object& Symbolizer::object(const std::string& path) {
  std::unique_ptr<Object>& slot = objects_[path];
  if (!slot) {
    slot = std::make_unique<Object>();
    slot->module = DwarfModule::open(path);
    if (slot->module) slot->variables = std::make_unique<VariableNamer>(*slot->module);
  }
  return *slot;
}

const std::vector<Frame>& Symbolizer::frames(const std::string& path, std::uint64_t offset) {
  auto [entry, fresh] = frames_.try_emplace({path, offset});
  std::vector<Frame>& frames = entry->second;
  if (!fresh) return frames;
  Frame plain;
  plain.module = facts::base_name(path);
  plain.offset = offset;
  DwarfModule* module = object(path).module.get();
  if (module != nullptr) {
    Dwarf_Addr address = module->address(offset);
    frames = debug_frames(*module, address, plain);
    if (frames.empty()) plain.function = symbol_name(*module, address);
  }
  if (frames.empty()) frames.push_back(plain);
  return frames;
}

std::vector<std::string> Symbolizer::functions(const std::string& path, std::uint64_t offset) {
  DwarfModule* module = object(path).module.get();
  if (module == nullptr) return {};
  Dwarf_Addr address = module->address(offset);
  std::vector<std::string> names;
  if (const DwarfModule::Unit* found = module->unit_of(address)) {
    Dwarf_Die unit = found->die;
    std::vector<Dwarf_Die> chain = function_chain(&unit, address - found->bias);
    for (std::size_t i = chain.size(); i-- > 0;) {
      names.push_back(whole_function(*module, &chain[i], address));
    }
  }
  if (names.empty()) names.push_back(symbol_name(*module, address));
  return names;
}

const std::string& Symbolizer::local(const std::string& path, std::uint64_t code,
                                     std::int64_t offset) {
  auto [entry, fresh] = locals_.try_emplace({{path, code}, offset});
  std::string& name = entry->second;
  DwarfModule* module = object(path).module.get();
  if (!fresh || module == nullptr) return name;
  Dwarf_Addr address = module->address(code);
  const DwarfModule::Unit* found = module->unit_of(address);
  if (found == nullptr) return name;
  Dwarf_Die unit = found->die;
  std::vector<Dwarf_Die> chain = function_chain(&unit, address - found->bias);
  // Inlined functions have no frame of their own.
  auto function = std::ranges::find_if(chain.rbegin(), chain.rend(), [](Dwarf_Die& die) {
    return dwarf_tag(&die) == DW_TAG_subprogram;
  });
  if (function != chain.rend())
    name = local_name(*module, &*function, address, found->bias, offset);
  return name;
}

std::string Symbolizer::symbol_place(const std::string& path, std::uint64_t offset) {
  DwarfModule* module = object(path).module.get();
  if (module == nullptr) return "";
  GElf_Off into = 0;
  GElf_Sym symbol;
  const char* name = dwfl_module_addrinfo(module->handle(), module->address(offset), &into, &symbol,
                                          nullptr, nullptr, nullptr);
  if (name == nullptr || (symbol.st_size != 0 && into >= symbol.st_size)) return "";
  std::string readable = demangled(name);
  return fmt::format("{}+{:#x}", readable.empty() ? name : readable, into);
}

std::vector<std::string> Symbolizer::members(const std::string& path, std::uint64_t offset) {
  Object& found = object(path);
  return found.variables ? found.variables->members(offset) : std::vector<std::string>();
}

std::vector<RecordMember> Symbolizer::records_with_member(const std::string& path,
                                                          const std::string& member) {
  DwarfModule* module = object(path).module.get();
  if (module == nullptr) return {};
  return report::records_with_member(*module, member);
}

bool Symbolizer::has_function(const std::string& path, std::string_view wanted) {
  DwarfModule* module = object(path).module.get();
  return module != nullptr && report::has_function(*module, wanted, names_function);
}

bool Symbolizer::has_variable(const std::string& path, std::string_view wanted) {
  Object& found = object(path);
  if (!found.variables) return false;
  std::vector<StaticVariable> all = found.variables->writable_variables();
  return std::ranges::any_of(all, [&](const StaticVariable& variable) {
    // A part of it may be meant.
    return names_variable(wanted.substr(0, wanted.find_first_of("[.")), variable.name);
  });
}

const std::string& Symbolizer::variable(const std::string& path, std::uint64_t offset) {
  auto [entry, fresh] = variables_.try_emplace({path, offset});
  if (!fresh) return entry->second;
  Object& found = object(path);
  if (found.variables) entry->second = found.variables->name(offset);
  return entry->second;
}

}  // namespace raddle::report
