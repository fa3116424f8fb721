// SPDX-License-Identifier: Apache-2.0
//
// Functions by the symbols of an object, and their code from its sections. Engine side.
#include "report/locked_code.h"

#include <algorithm>
#include <span>

#include "report/cpp_names.h"
#include "report/dwarf_module.h"
#include "report/x86_code.h"

namespace raddle::report {
namespace {

struct Section {
  GElf_Addr begin = 0;
  std::span<const std::uint8_t> code;
  std::string name;
};

struct Function {
  GElf_Addr begin = 0, end = 0;
  std::string name;  // as the linker knows it
};

std::vector<Section> code_sections(Elf* elf) {
  std::vector<Section> sections;
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return sections;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
        (header.sh_flags & SHF_EXECINSTR) == 0)
      continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    Elf_Data* data = elf_rawdata(scn, nullptr);
    if (name == nullptr || data == nullptr || data->d_buf == nullptr) continue;
    // Calls through tables are made by the linker.
    if (std::string_view(name).starts_with(".plt")) continue;
    sections.push_back(
        {header.sh_addr, {static_cast<const std::uint8_t*>(data->d_buf), data->d_size}, name});
  }
  return sections;
}

std::span<const std::uint8_t> code_of(const std::vector<Section>& sections, GElf_Addr begin,
                                      GElf_Addr end) {
  for (const Section& section : sections)
    if (begin - section.begin < section.code.size())
      return section.code.subspan(begin - section.begin)
          .first(std::min<std::size_t>(end - begin, section.code.size() - (begin - section.begin)));
  return {};
}

// Sorted; a function of unknown size, as assembly has, ends where the next one begins.
std::vector<Function> functions_of(DwarfModule& module) {
  std::vector<Function> functions;
  int count = dwfl_module_getsymtab(module.handle());
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    GElf_Word section = 0;
    const char* name =
        dwfl_module_getsym_info(module.handle(), i, &symbol, &address, &section, nullptr, nullptr);
    int type = GELF_ST_TYPE(symbol.st_info);
    bool code = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
    if (name == nullptr || *name == '\0' || !code || section == SHN_UNDEF || section >= SHN_ABS)
      continue;
    functions.push_back({address, address + symbol.st_size, name});
  }
  std::ranges::stable_sort(functions, {}, &Function::begin);
  GElf_Addr next = ~GElf_Addr{0};
  for (std::size_t i = functions.size(); i-- > 0;) {
    Function& function = functions[i];
    if (function.end == function.begin) function.end = next;
    if (i == 0 || functions[i - 1].begin != function.begin) next = function.begin;
  }
  return functions;
}

// Addresses in the file, of which those of the module may be others.
struct Code {
  std::vector<Section> sections;
  GElf_Addr bias = 0;
};

Code code_in(DwarfModule& module) {
  Code code;
  if (Elf* elf = dwfl_module_getelf(module.handle(), &code.bias))
    code.sections = code_sections(elf);
  return code;
}

bool is_locked(const Code& code, const Function& function) {
  return has_locked_instruction(
      code_of(code.sections, function.begin - code.bias, function.end - code.bias));
}

std::string readable(const std::string& name) {
  std::string text = demangled(name);
  return text.empty() ? name : function_name(text);
}

}  // namespace

std::vector<std::string> locked_functions(const std::string& path) {
  std::vector<std::string> names;
  auto module = DwarfModule::open(path);
  if (module == nullptr) return names;
  Code code = code_in(*module);
  std::vector<Function> functions = functions_of(*module);
  GElf_Addr done = 0;  // several names may stand for one function
  for (const Function& function : functions) {
    if (function.end <= done || !is_locked(code, function)) continue;
    done = function.end;
    names.push_back(readable(function.name));
  }
  if (!functions.empty()) return names;
  for (const Section& section : code.sections)
    if (has_locked_instruction(section.code)) names.push_back(section.name);
  return names;
}

const std::string& LockedCode::function_at(const std::string& path, std::uint64_t offset) {
  auto [entry, fresh] = known_.try_emplace({path, offset});
  if (!fresh) return entry->second;
  auto module = DwarfModule::open(path);
  if (module == nullptr) return entry->second;
  GElf_Addr address = module->address(offset);
  std::vector<Function> functions = functions_of(*module);
  auto covers = [&](const Function& function) {
    return function.begin <= address && address < function.end;
  };
  auto found = std::ranges::find_if(functions, covers);
  if (found != functions.end() && is_locked(code_in(*module), *found))
    entry->second = readable(found->name);
  return entry->second;
}

}  // namespace raddle::report
