// SPDX-License-Identifier: Apache-2.0
//
// Records as lines of JSON, for `raddle memo export` and `import`. Engine side; pure.
// docs/memory.md lists the fields.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "memo/records.h"

namespace raddle::memo {

// Without the end of the line.
std::string print_record(const Record& record);

// The error says what is wrong with the line, not where it stands.
Result<Record> parse_record(std::string_view line);

}  // namespace raddle::memo
