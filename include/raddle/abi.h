// SPDX-License-Identifier: Apache-2.0
//
// The functions of raddle that test code calls, as C: everything the other public headers do goes
// through these. Public API; plain data only, so that test and library may be built by different
// compilers.
//
// raddle_check() and its relatives are in libraddle_check.so; the rest are in libraddle_rt.so, and
// those about events and schedules also in libraddle_light.a (RADDLE_LIGHT).
#pragma once

#include <stddef.h>
#include <stdint.h>

// Code that has events links without raddle too; then these are null.
#ifdef RADDLE_LIGHT
#define RADDLE_IF_THERE
#else
#define RADDLE_IF_THERE __attribute__((weak))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// -- events and schedules ----------------------------------------------------------------------

// The current thread is about to pass the event `name`: it waits while the schedule in force does
// not admit it.
void raddle_event(const char* name) RADDLE_IF_THERE;

// The name of the current thread in schedules and reports.
void raddle_name_thread(const char* name) RADDLE_IF_THERE;

enum {
  RADDLE_SCHEDULE_PASSIVE = 1,     // nobody is held back; violated orderings are reported
  RADDLE_SCHEDULE_INFEASIBLE = 2,  // it is a failure if it is satisfied, not if it cannot be
  RADDLE_SCHEDULE_FILTER = 4       // a run that cannot satisfy it ends there and says nothing
};

// From now on the schedule is in force; it ends with the test or with raddle_schedule_end(). The
// text must be a valid schedule (raddle_schedule_error).
void raddle_schedule_begin(const char* name, const char* text, unsigned flags) RADDLE_IF_THERE;
void raddle_schedule_end(void) RADDLE_IF_THERE;

// The name given to raddle_schedule_begin, or "" if no schedule is in force.
const char* raddle_schedule_name(void) RADDLE_IF_THERE;

// What is wrong with a schedule, written into `message`; 0 if nothing is.
int raddle_schedule_error(const char* text, char* message, size_t size) RADDLE_IF_THERE;

// -- tests -------------------------------------------------------------------------------------

// A check of the test has failed, in any thread: the run is a failing one. Returns (if at all) when
// no run under control is going on, or when the run is to go on to its end.
void raddle_fail(const char* file, int line, const char* message) RADDLE_IF_THERE;

// libraddle_light.a only: failed checks and schedules that cannot be carried out are given to the
// handler, in the thread that notices. `file` may be null. Without one, they are printed, and the
// second kind ends the process.
typedef void (*raddle_fail_handler)(const char* file, int line, const char* message);
void raddle_on_fail(raddle_fail_handler handler) RADDLE_IF_THERE;

// 1 inside a run under control, else 0.
int raddle_controlled(void) RADDLE_IF_THERE;

typedef struct {
  uint32_t version;  // RADDLE_CHECK_VERSION
  void (*body)(void*);
  void* closure;
  const char* name;  // of the test, for reports and schedule files; may be null
  const char* file;  // where the test is; may be null
  uint32_t line;

  // Null or 0: the default, which environment variables can change.
  const char* strategy;
  uint64_t schedules;  // at most so many runs
  uint64_t milliseconds;
  uint64_t seed;
  uint32_t depth;
  uint32_t max_steps;
  uint32_t spurious;
  const char* points;  // "sync", "shared", "all"
  const char* timers;  // "idle", "any"
  const char* races;   // "off", "report", "fail"
  uint32_t keep_going;

  const char* schedule_name;  // of an event schedule; null: none
  const char* schedule;
  uint32_t schedule_flags;
  uint32_t expect_infeasible;  // it is a failure if a run satisfies the schedule

  // Of systematic searches, as the options of `raddle test` of the same names.
  uint32_t has_bound;  // 0: `bound` says nothing
  uint32_t bound;
  const char* priority;
  const char* method;
  const char* var;

  // What else is looked for in the runs, as by the options of `raddle test` of the same names.
  uint32_t locksets;
  const char* atomicity;  // "off", "warn", "fail"
  const char* fail_on;    // warnings that fail the test, separated by commas, or "none"

  // As the options of `raddle test` of the same names.
  const char* suppressions;  // a file of findings to leave out
  const char* coverage;      // "off", "some", "all"
  const char* stop_when;     // "saturated"
  uint64_t saturation_runs;
  uint32_t saturation_part;
  uint32_t memo;  // remember in memo.db, and use what is remembered

  uint32_t no_restore;  // global variables stay as a run leaves them, instead of being put back
} raddle_check_request;

enum { RADDLE_CHECK_VERSION = 6 };

typedef struct {
  const char* kind;           // "deadlock", "assertion", ... as in `raddle list findings`
  const char* message;        // one line or more
  const char* schedule_file;  // for RADDLE_REPLAY and `raddle replay`
  const char* story;          // the interleaving, as `raddle show` prints it
  const char* file;           // the place, if known; else null
  uint32_t line;
} raddle_check_finding;

typedef struct {
  uint32_t version;
  uint32_t complete;  // every schedule that the strategy stands for was run
  uint64_t schedules;
  uint64_t steps;
  uint64_t limited;     // runs cut by max_steps
  uint64_t infeasible;  // runs in which the schedule could not be satisfied
  double seconds;
  const char* guarantee;
  const char* error;  // why the test could not be run; null: it was
  const char* notes;  // what else there is to know, a line each; may be empty
  const raddle_check_finding* findings;
  uint32_t finding_count;
  uint32_t whole_program;  // the program runs under `raddle test`: the body was run once

  // Of systematic searches; else 0.
  uint64_t blocked;      // runs that sleep sets cut short
  uint64_t search_runs;  // complete runs since the search last began anew
  uint64_t peak_nodes;   // of the tree of executions, at its largest
  uint64_t peak_bytes;
  uint64_t peak_set_bytes;  // of sleep sets and done sets

  const char* stopped;  // why it ended before its limits, if stop_when did it; else ""
  uint64_t suppressed;  // findings left out by suppressions
} raddle_check_result;

// Repeats the body under control. Never null; give it back to raddle_check_free().
const raddle_check_result* raddle_check(const raddle_check_request* request);
void raddle_check_free(const raddle_check_result* result);

#ifdef __cplusplus
}
#endif
