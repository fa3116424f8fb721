// SPDX-License-Identifier: Apache-2.0
//
// Settings: what a unit test asks for, what the environment says about it, and the defaults. Engine
// side, in the program's process. The environment wins: it is how the same test binary is run
// longer, otherwise, or along a recorded schedule.
#pragma once

#include <string>

#include "base/result.h"
#include "raddle/abi.h"
#include "session/request.h"

namespace raddle::check {

struct Settings {
  session::Request request;  // without the program
  bool learn = false;        // what runs teach about atomicity, instead of exploring
  bool restore = true;       // global variables are put back after each run
  std::string replay;        // a schedule file; empty: none

  const std::string& test() const { return request.campaign.test; }
};

// An error names the option or the variable.
Result<Settings> read_settings(const raddle_check_request& request);

}  // namespace raddle::check
