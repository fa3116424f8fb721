// SPDX-License-Identifier: Apache-2.0
//
// Names data of an object file: the variable, then the element and the member, as far as its type
// is known. Engine side; a part of Symbolizer, which caches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/dwarf_module.h"

namespace raddle::report {

class VariableNamer {
 public:
  explicit VariableNamer(DwarfModule& module) : module_(module) {}

  // "accounts[1].balance", "buffer+24", or "" if no variable lies there.
  std::string name(std::uint64_t offset);

 private:
  struct Variable {
    Dwarf_Addr begin, end;  // in the module's addresses
    Dwarf_Die die;
  };

  void index_variables();
  void index_scope(Dwarf_Die* scope, Dwarf_Addr bias);
  void index_variable(Dwarf_Die* die, Dwarf_Addr bias);
  std::string variable_name(Variable variable) const;
  const Variable* find(Dwarf_Addr address) const;
  std::string symbol(Dwarf_Addr address) const;

  DwarfModule& module_;
  bool indexed_ = false;
  std::vector<Variable> variables_;  // sorted by begin
};

}  // namespace raddle::report
