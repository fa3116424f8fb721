// SPDX-License-Identifier: Apache-2.0
//
// A schedule as text again, in one canonical spelling: what it prints parses to the same table.
// Both sides; pure.
#pragma once

#include "dsl/schedule_table.h"
#include "dsl/text_buffer.h"

namespace raddle::dsl {

void put_event(TextBuffer& out, const Schedule& schedule, EventIndex event);
// Only the parentheses that are needed.
void put_condition(TextBuffer& out, const Schedule& schedule, const Ordering& ordering);
void put_ordering(TextBuffer& out, const Schedule& schedule, const Ordering& ordering);
void put_schedule(TextBuffer& out, const Schedule& schedule);

}  // namespace raddle::dsl
