// SPDX-License-Identifier: Apache-2.0
//
// What can be said of a schedule before anything runs. Both sides; pure.
//
// An error is a schedule with events that no execution whatever can contain: orderings that wait
// for each other in a circle, or for a thread that is blocked after its end. They are found by a
// fixpoint. An event can happen if its orderings can come to hold by events that can happen and if
// what must come before it can happen: its earlier occurrences, start@t before all else @t. Events
// that are left over can never happen, and a walk from one to a reason of it, to a reason of that
// and so on ends in the cycle. The fixpoint takes any number of threads to have the same name, so
// that what it rejects is impossible for certain.
//
// A warning is what is legal and hardly meant: the same ordering twice, or one that only holds if
// several threads have the same name.
#pragma once

#include "dsl/schedule_table.h"
#include "dsl/text_buffer.h"

namespace raddle::dsl {

struct Diagnostic {
  bool is_error = false;
  std::uint32_t offset = 0;  // into the schedule's text
  char message[400] = {};
};

// Errors first. Returns how many were written, at most `capacity`.
unsigned check_schedule(const Schedule& schedule, Diagnostic* out, unsigned capacity);

// Parses and checks: false if the schedule cannot be used, with the reason in `error`, in the form
// of parse_schedule(). True with a line in `error` for each warning, if there are any.
bool compile_schedule(std::string_view text, Schedule& schedule, TextBuffer& error);

}  // namespace raddle::dsl
