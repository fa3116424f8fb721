// SPDX-License-Identifier: Apache-2.0
//
// Types in debug information: of what, how large, with which parts. Engine side; one of the files
// that know elfutils.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/dwarf_module.h"

namespace raddle::report {

// The type of a variable, member or array, without typedefs and qualifiers.
bool type_of(Dwarf_Die* die, Dwarf_Die* type);

std::optional<Dwarf_Word> size_of(Dwarf_Die* type);

std::optional<Dwarf_Word> unsigned_attribute(Dwarf_Die* die, unsigned name);

// The numbers of elements of an array's dimensions; empty if one is unknown.
std::vector<Dwarf_Word> dimensions(Dwarf_Die* array);

// A structure, class or union.
bool is_record(int tag);

// Whether the name belongs to the compiler and its library.
bool is_reserved(const std::string& name);

// "bank::Account"; "" if the type has no name.
std::string qualified_name(Dwarf_Die* die);

// Of a function, also of one that is inlined somewhere: "bank::Queue::push", by the scopes of its
// declaration.
std::string declared_name(Dwarf_Die function);

}  // namespace raddle::report
