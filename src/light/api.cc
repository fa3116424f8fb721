// SPDX-License-Identifier: Apache-2.0
//
// The functions of raddle/abi.h that a plain build has (RADDLE_LIGHT), and what becomes of
// failures. Inside the program under test.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "dsl/schedule_checks.h"
#include "light/enforcer.h"
#include "light/failures.h"
#include "light/real.h"
#include "light/say.h"
#include "raddle/abi.h"

namespace raddle::light {

namespace {

constinit std::atomic<raddle_fail_handler> fail_handler{nullptr};
constinit std::atomic<bool> check_failed{false};

// Printed failures are failures of the program, even if it does not know.
__attribute__((destructor)) void tell_by_exit_code() {
  if (!check_failed) return;
  fflush(nullptr);
  _exit(1);
}

}  // namespace

void fail_check(const char* file, int line, const char* message) {
  if (raddle_fail_handler handler = fail_handler) {
    handler(file, line, message);
    return;
  }
  char text[4096];
  dsl::TextBuffer out(text, sizeof text);
  if (file != nullptr)
    out << file << ":" << static_cast<std::uint32_t>(line) << ": ";
  else
    out << "raddle: ";
  out << (message == nullptr ? "a check failed" : message);
  if (out.text().back() != '\n') out << "\n";
  check_failed = true;
  say(out.text());
}

void fail_schedule(const char* message) {
  if (raddle_fail_handler handler = fail_handler) {
    handler(nullptr, 0, message);
    return;
  }
  say("raddle: ");
  say(message);
  abort();
}

}  // namespace raddle::light

using namespace raddle;

LIGHT_EXPORT void raddle_event(const char* name) { light::enforcer::pass_event(name); }

LIGHT_EXPORT void raddle_name_thread(const char* name) { light::enforcer::name_thread(name); }

LIGHT_EXPORT void raddle_schedule_begin(const char* name, const char* text, unsigned flags) {
  light::enforcer::begin(name, text, flags);
}

LIGHT_EXPORT void raddle_schedule_end(void) { light::enforcer::end(); }

LIGHT_EXPORT const char* raddle_schedule_name(void) { return light::enforcer::schedule_name(); }

LIGHT_EXPORT int raddle_schedule_error(const char* text, char* message, size_t size) {
  dsl::Schedule schedule;
  char own[1024];
  dsl::TextBuffer out(size > 0 ? message : own, size > 0 ? size : sizeof own);
  if (!dsl::compile_schedule(text, schedule, out)) return 1;
  if (size > 0) message[0] = 0;  // warnings are no errors
  return 0;
}

LIGHT_EXPORT void raddle_fail(const char* file, int line, const char* message) {
  light::fail_check(file, line, message);
}

LIGHT_EXPORT void raddle_on_fail(raddle_fail_handler handler) { light::fail_handler = handler; }

LIGHT_EXPORT int raddle_controlled(void) { return 0; }
