// SPDX-License-Identifier: Apache-2.0
//
// One object file, opened for its symbols and debug information. Engine side. Together with
// symbolizer.cc and variable_namer.cc the only code that knows elfutils.
//
// Offsets count from the page of the lowest loaded segment, as the runtime reports them, for
// position-independent and other objects alike. Debug information is looked for in the object
// itself, beside it and below /usr/lib/debug; never on the network.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace raddle::report {

class DwarfModule {
 public:
  // Null if the file cannot be read or is no object file.
  static std::unique_ptr<DwarfModule> open(const std::string& path);

  Dwfl_Module* handle() const { return module_; }
  // The address of an offset in the space of handle().
  Dwarf_Addr address(std::uint64_t offset) const { return base_ + offset; }

  // Whether the program may write there: not to what is protected once it has been relocated.
  bool is_writable(Dwarf_Addr begin, Dwarf_Addr end) const;

  // The variables that the object offers to the others, by symbol.
  struct Data {
    std::uint64_t offset;
    std::uint64_t size;
  };
  std::map<std::string, Data> exported_data() const;

  // Every compilation unit, with the difference between handle()'s addresses and the unit's own.
  struct Unit {
    Dwarf_Die die;
    Dwarf_Addr bias;
  };
  const std::vector<Unit>& units();
  // The unit whose code holds the address, or null.
  const Unit* unit_of(Dwarf_Addr address);

 private:
  struct End {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  struct Range {
    Dwarf_Addr begin, end;
    std::size_t unit;
  };

  DwarfModule(Dwfl* dwfl, Dwfl_Module* module, Dwarf_Addr base)
      : dwfl_(dwfl), module_(module), base_(base) {}
  void load_units();

  std::unique_ptr<Dwfl, End> dwfl_;
  Dwfl_Module* module_;
  Dwarf_Addr base_;
  bool units_loaded_ = false;
  std::vector<Unit> units_;
  std::vector<Range> ranges_;  // sorted by begin
};

// The string of an attribute of the entry or of the declaration it completes; "" if it has none.
std::string die_string(Dwarf_Die* die, unsigned attribute);

// Calls visit(child) for every child until it returns true; says whether one did.
template <class Visit>
bool any_child(Dwarf_Die* die, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return false;
  do {
    if (visit(child)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// "" if the name is not mangled.
std::string demangled(const std::string& name);

}  // namespace raddle::report
