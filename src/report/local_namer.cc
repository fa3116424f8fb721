// SPDX-License-Identifier: Apache-2.0
//
// See local_namer.h. Engine side; one of the files that know elfutils. Variables that others can
// see have their address taken, so they lie at one place of the frame as long as they are in scope.
#include "report/local_namer.h"

#include <dwarf.h>

#include <cstdlib>
#include <optional>

#include "report/dwarf_types.h"
#include "report/variable_namer.h"

namespace raddle::report {
namespace {

// Numbers of registers on x86-64.
constexpr unsigned kFramePointer = 6, kStackPointer = 7;

// The only operation of the location that is valid at the address.
std::optional<Dwarf_Op> operation(Dwarf_Die* die, unsigned attribute, Dwarf_Addr address) {
  Dwarf_Attribute location;
  if (dwarf_attr_integrate(die, attribute, &location) == nullptr) return std::nullopt;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation_addr(&location, address, &ops, &count, 1) != 1 || count != 1)
    return std::nullopt;
  return ops[0];
}

// How far the stack pointer is from the end of the frame, where the code is at the address.
std::optional<std::int64_t> stack_pointer(const DwarfModule& module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_CFI* table = dwfl_module_eh_cfi(module.handle(), &bias);
  Dwarf_Frame* frame = nullptr;
  if (table == nullptr || dwarf_cfi_addrframe(table, address - bias, &frame) != 0)
    return std::nullopt;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  bool known = dwarf_frame_cfa(frame, &ops, &count) == 0 && count == 1 &&
               ops[0].atom == DW_OP_breg0 + kStackPointer;
  std::optional<std::int64_t> distance;
  if (known) distance = -static_cast<std::int64_t>(ops[0].number);
  std::free(frame);
  return distance;
}

// Where offsets of the function's variables count from, seen from the end of its frame.
std::optional<std::int64_t> frame_base(const DwarfModule& module, Dwarf_Die* function,
                                       Dwarf_Addr address, Dwarf_Addr bias) {
  constexpr std::int64_t kReturnAddressAndFramePointer = -16;
  std::optional<Dwarf_Op> op = operation(function, DW_AT_frame_base, address - bias);
  if (!op) return std::nullopt;
  if (op->atom == DW_OP_call_frame_cfa) return 0;
  if (op->atom == DW_OP_reg0 + kFramePointer) return kReturnAddressAndFramePointer;
  if (op->atom == DW_OP_reg0 + kStackPointer) return stack_pointer(module, address);
  return std::nullopt;
}

struct Wanted {
  Dwarf_Addr address;   // of the code
  std::int64_t offset;  // from the frame base
};

std::string name_of(Dwarf_Die* variable, const Wanted& wanted) {
  std::optional<Dwarf_Op> op = operation(variable, DW_AT_location, wanted.address);
  Dwarf_Die type;
  if (!op || op->atom != DW_OP_fbreg || !type_of(variable, &type)) return "";
  std::int64_t inside = wanted.offset - static_cast<std::int64_t>(op->number);
  auto size = static_cast<std::int64_t>(size_of(&type).value_or(0));
  std::string name = die_string(variable, DW_AT_name);
  if (inside < 0 || inside >= size || name.empty()) return "";
  return name + path_inside(variable, static_cast<Dwarf_Word>(inside));
}

// Inner scopes first: their variables may have the places of others.
std::string search(Dwarf_Die* scope, const Wanted& wanted) {
  std::string name;
  any_child(scope, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine) return false;
    if (dwarf_haspc(&child, wanted.address) > 0) name = search(&child, wanted);
    return !name.empty();
  });
  if (!name.empty()) return name;
  any_child(scope, [&](Dwarf_Die& child) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) name = name_of(&child, wanted);
    return !name.empty();
  });
  return name;
}

}  // namespace

std::string local_name(const DwarfModule& module, Dwarf_Die* function, Dwarf_Addr address,
                       Dwarf_Addr bias, std::int64_t offset) {
  std::optional<std::int64_t> base = frame_base(module, function, address, bias);
  return base ? search(function, {address - bias, offset - *base}) : "";
}

}  // namespace raddle::report
