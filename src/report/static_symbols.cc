// SPDX-License-Identifier: Apache-2.0
//
// Guards by the names of symbols: _ZGV and a name guards _Z and that name, in the C++ ABI of both
// compilers. Engine side.
#include "report/static_symbols.h"

#include <algorithm>
#include <string_view>

namespace raddle::report {
namespace {

constexpr std::string_view kName = "_Z", kGuard = "_ZGV";

// Optimisers add ".lto_priv.0" and its like, not always the same to both.
std::string plain(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

}  // namespace

std::optional<StaticSymbols> static_symbols(const DwarfModule& module) {
  StaticSymbols result;
  std::multimap<std::string, std::uint64_t> variables;  // by what comes after _Z
  std::multimap<std::string, StaticGuard> guards;       // by what comes after _ZGV
  bool has_locals = false;
  int count = dwfl_module_getsymtab(module.handle());
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* text =
        dwfl_module_getsym_info(module.handle(), i, &symbol, &address, nullptr, nullptr, nullptr);
    if (text == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
    has_locals |= GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    std::uint64_t offset = address - module.address(0);
    std::string name = plain(text);
    std::uint64_t& size = result.sizes[offset];
    size = std::max<std::uint64_t>(size, symbol.st_size);
    if (name.starts_with(kGuard))
      guards.emplace(name.substr(kGuard.size()), StaticGuard{offset, symbol.st_size, 0});
    else if (name.starts_with(kName))
      variables.emplace(name.substr(kName.size()), offset);
  }
  if (!has_locals) return std::nullopt;
  for (const auto& [name, guard] : guards) {
    // Functions of several files may have one name: then each guard counts for all of them.
    auto [first, last] = variables.equal_range(name);
    for (auto variable = first; variable != last; ++variable)
      result.guards.push_back({guard.offset, guard.size, variable->second});
  }
  std::ranges::sort(result.guards, {}, &StaticGuard::variable);
  return result;
}

}  // namespace raddle::report
