// SPDX-License-Identifier: Apache-2.0
//
// From the text of a schedule to its table. Both sides; pure. Recursive descent with one token of
// lookahead; the depth is bounded by kNestingMax and every other loop consumes text, so that any
// bytes whatever are parsed in time proportional to their number (times the number of events).
#pragma once

#include <string_view>

#include "dsl/schedule_table.h"
#include "dsl/text_buffer.h"

namespace raddle::dsl {

// False if the text is no schedule: then `error` has one line that begins with the place, such as
//   column 14: expected an event after "->"
// and names the line too if the text has several.
bool parse_schedule(std::string_view text, Schedule& schedule, TextBuffer& error);

// "column 14: " or "line 2, column 14: ".
void put_position(TextBuffer& out, std::string_view text, std::size_t offset);

}  // namespace raddle::dsl
