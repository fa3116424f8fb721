// SPDX-License-Identifier: Apache-2.0
//
// A property of a coverage criterion in one line, for `raddle coverage --uncovered`. Engine side;
// pure.
#pragma once

#include "cli/coverage_summary.h"

namespace raddle::cli {

// The variables of a property, as the user knows them: "x, y".
std::string variables_text(const memo::PropertyRecord& property);

// "T2 write (bank.cpp:12) between T1 read (bank.cpp:11) and T1 write (bank.cpp:12), of checking".
std::string property_text(const UncoveredProperty& property);

}  // namespace raddle::cli
