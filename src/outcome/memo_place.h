// SPDX-License-Identifier: Apache-2.0
//
// A place of code as the memo names it: by module and offset in one build, and by a site that is
// the same in every build in which the code around it is. Engine side.
#pragma once

#include "facts/module_table.h"
#include "memo/records.h"
#include "report/symbolizer.h"

namespace raddle::outcome {

// `offset`: into the module, of a site (a return address).
memo::PlaceRecord memo_place(const memo::ProgramRecord& program, const facts::Module& module,
                             std::uint64_t offset, report::Symbolizer& symbolizer);

}  // namespace raddle::outcome
