// SPDX-License-Identifier: Apache-2.0
//
// Settings: what a unit test asks for, what the environment says about it, and the defaults. Engine
// side, in the program's process. The environment wins: it is how the same test binary is run
// longer, otherwise, or along a recorded schedule.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "facts/failing.h"
#include "raddle/abi.h"
#include "search/search_options.h"

namespace raddle::check {

struct Settings {
  std::string name;  // of the test
  const search::Strategy* strategy = nullptr;
  search::PlanOptions plan;
  search::FocusNames focus;
  std::uint64_t schedules_max = 0;
  std::chrono::milliseconds time_max{0};
  std::chrono::milliseconds run_timeout{10'000};
  facts::Failing failing;  // which findings fail the test
  bool keep_going = false;
  bool lock_order = true;  // what could deadlock is tried
  bool locksets = false;   // warn of data that no lock protects at all accesses
  bool atomicity = true;   // look for violations of what was learned of the program
  bool learn = false;      // what runs teach about atomicity, instead of exploring
  std::string out = ".raddle";
  std::string replay;  // a schedule file; empty: none
};

// An error names the option or the variable.
Result<Settings> read_settings(const raddle_check_request& request);

}  // namespace raddle::check
