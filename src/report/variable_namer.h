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

// A variable with static storage that the program may write to.
struct StaticVariable {
  std::string name;      // "bank::total", "count()::calls"
  std::string function;  // that it is local to, if the name does not tell; else ""
  std::string symbol;    // by which other objects know it; "" if they do not
  std::string file;      // of its declaration; "" if unknown
  int line = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

// The way from a variable to one of its bytes: "[1].balance", "+24", "" for all of it.
std::string path_inside(Dwarf_Die* variable, Dwarf_Word offset);

class VariableNamer {
 public:
  explicit VariableNamer(DwarfModule& module) : module_(module) {}

  // "accounts[1].balance", "buffer+24", or "" if no variable lies there.
  std::string name(std::uint64_t offset);

  // The members that the byte lies in, outermost first, by the names of their records, base classes
  // and derived ones alike: "bank::Savings::owner", "bank::Account::owner", "bank::Owner::age".
  std::vector<std::string> members(std::uint64_t offset);

  // The variables in writable memory: globals, static members, static locals; by offset, without
  // those that lie in another. No thread_local ones, nothing that the compiler has added.
  std::vector<StaticVariable> writable_variables();

  // Whether the byte belongs to a variable, but to no member of it. In doubt it does.
  bool is_padding(std::uint64_t offset);

 private:
  struct Variable {
    Dwarf_Addr begin, end;  // in the module's addresses
    Dwarf_Die die;
    Dwarf_Die function;  // that it is local to, if has_function
    bool has_function;
  };

  void index_variables();
  void index_scope(Dwarf_Die* scope, Dwarf_Addr bias, Dwarf_Die* function);
  void index_variable(Dwarf_Die* die, Dwarf_Addr bias, Dwarf_Die* function);
  std::string variable_name(Variable variable) const;
  StaticVariable describe(const Variable& variable) const;
  std::string exported_symbol(Dwarf_Addr address) const;
  const Variable* find(Dwarf_Addr address) const;
  std::string symbol(Dwarf_Addr address) const;

  DwarfModule& module_;
  bool indexed_ = false;
  std::vector<Variable> variables_;  // sorted by begin
};

}  // namespace raddle::report
