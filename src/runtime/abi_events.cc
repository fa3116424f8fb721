// SPDX-License-Identifier: Apache-2.0
//
// Events, names of threads and schedules as the program calls them (raddle/abi.h). Target side.
// Without control nothing is enforced here: that is what libraddle_light.a is for.
#include <string.h>

#include "dsl/schedule_checks.h"
#include "raddle/abi.h"
#include "runtime/events.h"
#include "runtime/locate.h"
#include "runtime/real.h"

using namespace raddle;
using namespace raddle::runtime;

RADDLE_EXPORT void raddle_event(const char* name) {
  if (off() || name == nullptr) return;
  pass_event(dsl::EventKind::named, name, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void raddle_name_thread(const char* name) {
  if (off() || name == nullptr) return;
  name_fiber(*g.current, name, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT void raddle_schedule_begin(const char* name, const char* text, unsigned flags) {
  begin_schedule(name != nullptr ? name : "", text != nullptr ? text : "",
                 {.passive = (flags & RADDLE_SCHEDULE_PASSIVE) != 0,
                  .expect_infeasible = (flags & RADDLE_SCHEDULE_INFEASIBLE) != 0,
                  .filter = (flags & RADDLE_SCHEDULE_FILTER) != 0});
}

RADDLE_EXPORT void raddle_schedule_end() { end_schedule(); }

RADDLE_EXPORT const char* raddle_schedule_name() { return events.name; }

RADDLE_EXPORT int raddle_schedule_error(const char* text, char* message, size_t size) {
  // Not on the stack, which may be small. Two threads asking at once without control would mix
  // their answers; tests ask before they start any.
  static dsl::Schedule scratch;
  char unused[1];
  dsl::TextBuffer out(size > 0 ? message : unused, size > 0 ? size : sizeof unused);
  return dsl::compile_schedule(text != nullptr ? text : "", scratch, out) ? 0 : 1;
}
