// SPDX-License-Identifier: Apache-2.0
//
// What test code says to the runtime (include/raddle/abi.h): that a check has failed. Target side.
//
// A failed check ends the run there, with the state of all threads. Not so in a run that shares its
// process with others: test frameworks report failures with a lock held, which a jump out of the
// run would leave locked. Such a run goes on to its end and is then repeated in a process of its
// own.
#include <stdio.h>
#include <string.h>

#include "raddle/abi.h"
#include "runtime/fatal.h"
#include "runtime/in_process.h"
#include "runtime/locate.h"

using namespace raddle::runtime;

RADDLE_EXPORT int raddle_controlled() { return running() ? 1 : 0; }

RADDLE_EXPORT void raddle_fail(const char* file, int line, const char* message) {
  if (!running()) return;
  char text[raddle::wire::kMessageMax];
  if (file != nullptr)
    snprintf(text, sizeof text, "%s:%d: %s", file, line, message);
  else
    snprintf(text, sizeof text, "%s", message);
  for (std::size_t end = strlen(text); end > 0 && text[end - 1] == '\n';) text[--end] = '\0';
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  if (in_place()) return note_failed_check(text, pc);
  end_run({.kind = raddle::wire::VerdictKind::assertion, .pc = pc, .message = text});
}
