// SPDX-License-Identifier: Apache-2.0
//
// Schedule: everything needed to repeat one run, and its text form (docs/schedule-format.md).
// Engine side. The text is versioned, diffable and may be edited by hand; parse and print are
// inverse to each other (schedule_test.cc).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/event.h"
#include "wire/plan.h"

namespace raddle::facts {

// A site that survives address randomisation and other load orders.
struct SitePlace {
  std::string module;  // basename of the object
  std::uint64_t offset = 0;
  friend bool operator==(const SitePlace&, const SitePlace&) = default;
};

// What a run does when every thread waits for the outside.
enum class Idle : std::uint8_t { wait, stop };

// What exit() is: the end of the run (as in older versions), or a point.
enum class Exit : std::uint8_t { sudden, point };

struct Schedule {
  std::vector<std::string> program;  // argv; [0] is the path as the user gave it
  std::string directory;             // working directory of the campaign
  std::string build_id;              // of the executable, hexadecimal; empty if it has none
  std::string test;                  // the unit test inside the program; empty: the program itself
  std::string stdin_file;            // --stdin, empty if none
  std::string before;                // --before, empty if none
  std::string check;                 // --check, empty if none
  int expect_exit = 0;
  wire::Points points = wire::Points::shared;
  wire::Timers timers = wire::Timers::idle;
  Idle idle = Idle::wait;  // --stop-when-idle
  Exit exit = Exit::sudden;
  std::uint32_t spurious = 0;
  std::uint32_t races = 1;  // whether they were looked for: the recorded events tell
  std::uint32_t max_steps = 0;
  std::uint64_t seed = 0;         // of value draws that are recorded but not choices
  std::vector<SitePlace> sites;   // where plain accesses are points
  std::string kind;               // what happened: a finding kind, or "ok"
  std::string message;            // its first line
  std::uint32_t steps = 0;        // length of the run
  std::uint64_t events_hash = 0;  // of its event stream (facts/event_hash.h); 0: unknown
  std::vector<wire::ChoiceRecord> choices;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

std::string print_schedule(const Schedule& schedule);

// `name` is what error messages call the text: they name file, line and what was expected.
Result<Schedule> parse_schedule(std::string_view text, const std::string& name);

}  // namespace raddle::facts
