// SPDX-License-Identifier: Apache-2.0
//
// raddle::check: repeats a small concurrent test under every schedule that a strategy can think of,
// in this process. Public API.
//
//     auto result = raddle::check([] {
//       Queue queue;
//       std::thread other([&] { queue.push(1); });
//       queue.push(2);
//       other.join();
//       RADDLE_ASSERT(queue.size() == 2);
//     });
//     if (!result) std::cerr << result;
//
// The test has to be compiled with `raddle c++` (or raddle_add_test). What the closure makes is
// fresh in every run, and globals are put back after it (Options::restore); captured variables stay
// as a run leaves them.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "raddle/abi.h"

// A check that counts in every thread of the test.
#define RADDLE_ASSERT(condition)      \
  ((condition) ? static_cast<void>(0) \
               : ::raddle::fail(__FILE__, __LINE__, "RADDLE_ASSERT(" #condition ") has failed"))

namespace raddle {

// The run that this is called in is a failing one.
inline void fail(const char* file, int line, const char* message) {
  if (raddle_fail != nullptr) raddle_fail(file, line, message);
}

struct Options {
  std::string name = {};        // of the test, for reports and schedule files
  std::string strategy = {};    // of `raddle list strategies`; empty: auto
  std::uint64_t schedules = 0;  // at most so many runs
  std::uint64_t milliseconds = 0;
  std::uint64_t seed = 0;
  std::uint32_t depth = 0;
  std::uint32_t max_steps = 0;  // of one run
  std::uint32_t spurious = 0;   // wake-ups in one run
  std::string points = {};      // sync, shared or all
  std::string timers = {};      // idle or any
  std::string races = {};       // off, report or fail
  bool keep_going = false;      // do not stop at the first finding
  // Only interleavings that satisfy this event schedule (raddle/event.h).
  std::string schedule_name = {};
  std::string schedule = {};
  bool passive = false;            // it is not enforced; violations are findings
  bool expect_infeasible = false;  // there must be no such interleaving
  // Of systematic searches, as the options of `raddle test` of the same names.
  int bound = -1;             // -1: the strategy's own
  std::string priority = {};  // of `raddle list priorities`, separated by commas
  std::string method = {};    // the functions that priority `method` is for
  std::string var = {};       // the variables and members that priority `var` is for
  // What else is looked for in the runs, as by the options of `raddle test` of the same names.
  bool locksets = false;       // data that no lock protects at every access is a note
  std::string atomicity = {};  // off, warn or fail: what violates what was learned of the program
  std::string fail_on = {};    // warnings that fail the test, separated by commas, or none
  // As the options of `raddle test` of the same names.
  std::string suppressions = {};      // a file of findings to leave out
  std::string coverage = {};          // off, some or all
  std::string stop_when = {};         // saturated
  std::uint64_t saturation_runs = 0;  // of stop_when; 0: 500
  std::uint32_t saturation_part = 0;  // percent; 0: 20
  bool memo = false;                  // remember in memo.db, and use what is remembered
  // Global variables are put back after each run to what they were before the first one.
  bool restore = true;
};

struct Finding {
  std::string kind;
  std::string message;
  std::string schedule_file;  // for RADDLE_REPLAY and `raddle replay`
  std::string story;          // the interleaving
  std::string file;           // the place, if known
  std::uint32_t line = 0;
};

struct Result {
  std::uint64_t schedules = 0;  // runs that were made
  std::uint64_t steps = 0;
  std::uint64_t limited = 0;      // runs cut by max_steps
  std::uint64_t infeasible = 0;   // runs in which the event schedule could not be satisfied
  std::uint64_t blocked = 0;      // runs that sleep sets cut short (systematic searches)
  std::uint64_t search_runs = 0;  // complete runs since a systematic search last began anew
  std::uint64_t peak_nodes = 0;   // of its tree of executions, at its largest
  std::uint64_t peak_bytes = 0;
  std::uint64_t peak_set_bytes = 0;  // of sleep sets and done sets
  std::uint64_t suppressed = 0;      // findings left out by suppressions
  double seconds = 0;
  bool complete = false;  // everything that the strategy stands for was run
  bool whole_program = false;
  std::string guarantee;
  std::string stopped;  // why it ended before its limits, if stop_when did it
  std::string error;    // why the test could not be run; empty: it was
  std::string notes;
  std::vector<Finding> findings;

  bool passed() const { return findings.empty() && error.empty(); }
  explicit operator bool() const { return passed(); }
};

inline std::ostream& operator<<(std::ostream& out, const Result& result) {
  if (!result.error.empty()) out << "raddle: " << result.error << "\n";
  for (const Finding& finding : result.findings)
    out << finding.kind << ": " << finding.message << "\n"
        << finding.story << "schedule: " << finding.schedule_file << "\n";
  if (result.passed()) out << "nothing found in " << result.schedules << " runs\n";
  if (!result.stopped.empty()) out << "stopped: " << result.stopped << "\n";
  if (!result.guarantee.empty()) out << "promise: " << result.guarantee << "\n";
  return out << result.notes;
}

namespace detail {

inline std::string text(const char* words) { return words == nullptr ? "" : words; }

inline Result copy(const raddle_check_result& from) {
  Result to;
  to.schedules = from.schedules;
  to.steps = from.steps;
  to.limited = from.limited;
  to.infeasible = from.infeasible;
  to.blocked = from.blocked;
  to.search_runs = from.search_runs;
  to.peak_nodes = from.peak_nodes;
  to.peak_bytes = from.peak_bytes;
  to.peak_set_bytes = from.peak_set_bytes;
  to.suppressed = from.suppressed;
  to.seconds = from.seconds;
  to.complete = from.complete != 0;
  to.whole_program = from.whole_program != 0;
  to.guarantee = text(from.guarantee);
  to.stopped = text(from.stopped);
  to.error = text(from.error);
  to.notes = text(from.notes);
  for (std::uint32_t i = 0; i < from.finding_count; ++i) {
    const raddle_check_finding& each = from.findings[i];
    to.findings.push_back({text(each.kind), text(each.message), text(each.schedule_file),
                           text(each.story), text(each.file), each.line});
  }
  return to;
}

inline const char* or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

// Without body and place; the options have to stay.
inline raddle_check_request request_of(const Options& options) {
  raddle_check_request request{};
  request.version = RADDLE_CHECK_VERSION;
  request.name = or_null(options.name);
  request.strategy = or_null(options.strategy);
  request.schedules = options.schedules;
  request.milliseconds = options.milliseconds;
  request.seed = options.seed;
  request.depth = options.depth;
  request.max_steps = options.max_steps;
  request.spurious = options.spurious;
  request.points = or_null(options.points);
  request.timers = or_null(options.timers);
  request.races = or_null(options.races);
  request.keep_going = options.keep_going ? 1 : 0;
  request.schedule_name = or_null(options.schedule_name);
  request.schedule = or_null(options.schedule);
  request.schedule_flags = options.passive ? RADDLE_SCHEDULE_PASSIVE : 0;
  request.expect_infeasible = options.expect_infeasible ? 1 : 0;
  request.has_bound = options.bound >= 0 ? 1 : 0;
  request.bound = options.bound >= 0 ? static_cast<std::uint32_t>(options.bound) : 0;
  request.priority = or_null(options.priority);
  request.method = or_null(options.method);
  request.var = or_null(options.var);
  request.locksets = options.locksets ? 1 : 0;
  request.atomicity = or_null(options.atomicity);
  request.fail_on = or_null(options.fail_on);
  request.suppressions = or_null(options.suppressions);
  request.coverage = or_null(options.coverage);
  request.stop_when = or_null(options.stop_when);
  request.saturation_runs = options.saturation_runs;
  request.saturation_part = options.saturation_part;
  request.memo = options.memo ? 1 : 0;
  request.no_restore = options.restore ? 0 : 1;
  return request;
}

}  // namespace detail

// Runs the closure again and again. Returns when something was found, everything was covered, or
// the budget is used up.
// `file` and `line` name a test that has no name.
template <class Closure>
Result check(Closure&& closure, const Options& options = {}, const char* file = __builtin_FILE(),
             int line = __builtin_LINE()) {
  raddle_check_request request = detail::request_of(options);
  auto body = [&] { closure(); };  // an object whatever the closure is: it may be a function
  request.body = [](void* call) { (*static_cast<decltype(body)*>(call))(); };
  request.closure = &body;
  std::string name = options.name;
  if (name.empty()) name = std::string(file) + ":" + std::to_string(line);
  request.name = name.c_str();
  const raddle_check_result* made = raddle_check(&request);
  Result result = detail::copy(*made);
  raddle_check_free(made);
  return result;
}

}  // namespace raddle
