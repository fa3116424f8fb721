// SPDX-License-Identifier: Apache-2.0
//
// Names local variables and parameters by where they lie in a function's frame. Engine side; a part
// of Symbolizer.
#pragma once

#include <cstdint>
#include <string>

#include "report/dwarf_module.h"

namespace raddle::report {

// The variable of the function, or of one that is inlined into it, that is in scope at the address
// of the module and lies so far from the end of the frame: "lock", "stripes[1].sum". "" if there is
// none. `bias`: what the module's addresses are more than those of the function's unit.
std::string local_name(const DwarfModule& module, Dwarf_Die* function, Dwarf_Addr address,
                       Dwarf_Addr bias, std::int64_t offset);

}  // namespace raddle::report
