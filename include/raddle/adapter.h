// SPDX-License-Identifier: Apache-2.0
//
// What the adapters for test frameworks (raddle/gtest.h, raddle/catch2.h) share: the arguments of
// their macros, test cases made of them, one test case carried out, and what came of it in words.
// Public API as far as the macros go; the namespace is for adapters only.
//
// With RADDLE_LIGHT no engine is around: the adapters run each test case once, with real threads,
// while its schedule is in force.
//
// Invariant: what runs inside a run is not instrumented (RADDLE_NOT_INSTRUMENTED) and touches no
// lock, so that an adapter adds no step and no ordering to the runs of a test.
#pragma once

#include <errno.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "raddle/abi.h"
#include "raddle/check.h"
#include "raddle/event.h"

#define RADDLE_NOT_INSTRUMENTED __attribute__((no_sanitize("thread")))

// Further arguments of the macros that define tests. Every schedule is a test case of its own; a
// test without schedules is one test case.
//
// RADDLE_SCHEDULE: only interleavings that satisfy the schedule.
#define RADDLE_SCHEDULE(name, text) \
  ::raddle::adapter::Schedule { name, text, false, false }
// RADDLE_PASSIVE_SCHEDULE: all interleavings; one that violates the schedule is a failure.
#define RADDLE_PASSIVE_SCHEDULE(name, text) \
  ::raddle::adapter::Schedule { name, text, true, false }
// RADDLE_EXPECT_INFEASIBLE: it is a failure if an interleaving satisfies the schedule.
#define RADDLE_EXPECT_INFEASIBLE(name, text) \
  ::raddle::adapter::Schedule { name, text, false, true }
// RADDLE_OPTIONS(.strategy = "dfs", .schedules = 100): members of raddle::Options, in their order.
#define RADDLE_OPTIONS(...) \
  ::raddle::Options { __VA_ARGS__ }

namespace raddle::adapter {

struct Schedule {
  std::string name;
  std::string text;
  bool passive = false;
  bool infeasible = false;  // and has to be
};

struct Arguments {
  Options options;
  std::vector<Schedule> schedules;
};

inline void add(Arguments& all, Schedule schedule) { all.schedules.push_back(std::move(schedule)); }
inline void add(Arguments& all, Options options) { all.options = std::move(options); }

template <class... Parts>
Arguments arguments(Parts&&... parts) {
  Arguments all;
  (add(all, std::forward<Parts>(parts)), ...);
  return all;
}

struct TestCase {
  std::string name;  // in the framework, with the schedule's
  const char* file = nullptr;
  int line = 0;
  Options options;
  std::string wrong;  // what is wrong with the macro's arguments; empty: nothing
};

// Frameworks choose tests by patterns of names, so names are plain.
inline bool plain_name(const std::string& name) {
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '.') return false;
  }
  return !name.empty();
}

// The test cases of one test; their names are `name`, or `name` `separator` schedule.
inline std::vector<TestCase> test_cases(const std::string& name, const char* separator,
                                        const char* file, int line, const Arguments& all) {
  TestCase plain{name, file, line, all.options, ""};
  if (all.schedules.empty()) {
    if (plain.options.name.empty()) plain.options.name = name;
    return {plain};
  }
  std::vector<TestCase> cases;
  for (const Schedule& schedule : all.schedules) {
    TestCase test = plain;
    const std::string wrong = "RADDLE_SCHEDULE(\"" + schedule.name + "\", ...): ";
    if (!plain_name(schedule.name)) {
      test.wrong = wrong + "a schedule's name is made of letters, digits, '_' and '.'";
    }
    for (const TestCase& other : cases) {
      if (other.options.schedule_name != schedule.name) continue;
      test.wrong = wrong + "another schedule of this test has that name too";
    }
    test.name += separator + schedule.name;
    test.options.name = test.name;
    test.options.schedule_name = schedule.name;
    test.options.schedule = schedule.text;
    test.options.passive = schedule.passive;
    test.options.expect_infeasible = schedule.infeasible;
    cases.push_back(std::move(test));
  }
  return cases;
}

// A word as a shell takes it.
inline std::string quoted(const std::string& word) {
  bool plain = !word.empty();
  for (const char c : word) {
    plain = plain && (plain_name(std::string(1, c)) || c == '/' || c == '-' || c == '=');
  }
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// `choice`: the program's arguments that choose this test case.
inline std::string replay_command(const char* schedule_file, const std::string& choice) {
  return "RADDLE_REPLAY=" + quoted(schedule_file) + " " + quoted(program_invocation_name) + " " +
         choice;
}

#ifndef RADDLE_LIGHT

inline raddle_check_request request_of(const TestCase& test, void (*body)(void*), void* closure) {
  raddle_check_request request = detail::request_of(test.options);
  request.body = body;
  request.closure = closure;
  request.file = test.file;
  request.line = static_cast<uint32_t>(test.line);
  return request;
}

// What came of a test case. Requires: `test` outlives it.
class Outcome {
 public:
  Outcome(const TestCase& test, void (*body)(void*), void* closure) {
    const raddle_check_request request = request_of(test, body, closure);
    std::fflush(nullptr);  // processes that are forked for runs must not have it too
    result_ = raddle_check(&request);
  }
  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;
  ~Outcome() { raddle_check_free(result_); }

  const raddle_check_result* operator->() const { return result_; }

 private:
  const raddle_check_result* result_;
};

inline bool has(const char* text) { return text != nullptr && *text != 0; }

// A failure: where, and what. Failed expectations begin with their place, which is nearer to the
// test than the place in the framework at which the run ended.
struct Failure {
  std::string file;
  int line = 0;
  std::string message;
};

inline Failure failure_of(const TestCase& test, const raddle_check_finding& finding) {
  Failure failure{test.file, test.line, has(finding.message) ? finding.message : ""};
  if (has(finding.file)) failure = {finding.file, static_cast<int>(finding.line), failure.message};
  const std::string& text = failure.message;
  const size_t end = text.find(": ");
  const size_t colon = end == std::string::npos ? end : text.rfind(':', end - 1);
  if (colon == std::string::npos || colon == 0 || colon + 1 == end) return failure;
  if (text.find_first_not_of("0123456789", colon + 1) != end) return failure;
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1), text.substr(end + 2)};
}

inline std::string failure_text(const Failure& failure, const raddle_check_finding& finding,
                                const std::string& choice) {
  std::string text = has(finding.kind) ? finding.kind : "failure";
  if (!failure.message.empty()) text += ": " + failure.message;
  if (has(finding.story)) text += std::string("\n") + finding.story;
  if (has(finding.schedule_file)) {
    if (text.back() != '\n') text += '\n';
    text += std::string("schedule file: ") + finding.schedule_file;
    text += "\nreplay it:     " + replay_command(finding.schedule_file, choice);
  }
  return text;
}

inline std::string counted(uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// How much was tried: one line, and the notes.
inline std::string summary(const raddle_check_result& result) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.2f s", result.seconds);
  std::string text = counted(result.schedules, "run") + ", " + counted(result.steps, "step") +
                     ", " + seconds + (result.complete ? ": complete" : "");
  if (result.infeasible) {
    text += "; in " + std::to_string(result.infeasible) + " the schedule could not be satisfied";
  }
  if (result.limited) text += "; " + std::to_string(result.limited) + " cut short by max_steps";
  if (has(result.stopped)) text += std::string("; ") + result.stopped;
  if (result.suppressed) text += "; " + counted(result.suppressed, "finding") + " suppressed";
  if (has(result.guarantee) && result.finding_count == 0)
    text += std::string("\npromise: ") + result.guarantee;
  if (has(result.notes)) text += std::string("\n") + result.notes;
  while (text.back() == '\n') text.pop_back();
  return text;
}

#else

// The schedule of a test case is in force while this lives. What goes wrong with it (it cannot be
// satisfied, say) is given to the handler, in whatever thread that shows.
class LightRun {
 public:
  LightRun(const TestCase& test, raddle_fail_handler handler)
      : scheduled_(!test.options.schedule.empty()) {
    raddle_on_fail(handler);
    if (!scheduled_) return;
    unsigned flags = 0;
    if (test.options.passive) flags |= RADDLE_SCHEDULE_PASSIVE;
    if (test.options.expect_infeasible) flags |= RADDLE_SCHEDULE_INFEASIBLE;
    raddle_schedule_begin(test.options.schedule_name.c_str(), test.options.schedule.c_str(), flags);
  }
  LightRun(const LightRun&) = delete;
  LightRun& operator=(const LightRun&) = delete;
  ~LightRun() {
    if (scheduled_) raddle_schedule_end();
    raddle_on_fail(nullptr);
  }

 private:
  const bool scheduled_;
};

// Why a test case cannot be run; empty: it can.
inline std::string light_refusal(const TestCase& test) {
  char message[512];
  if (test.options.schedule.empty() ||
      raddle_schedule_error(test.options.schedule.c_str(), message, sizeof message) == 0) {
    return "";
  }
  return "schedule \"" + test.options.schedule_name + "\": " + message;
}

#endif

}  // namespace raddle::adapter
