// SPDX-License-Identifier: Apache-2.0
//
// What the user says about coverage: read, and checked against the rest of the request. Engine
// side; pure. Common to the command line and to unit tests, whose options have other names.
#pragma once

#include "session/request.h"

namespace raddle::session {

struct CoverageTexts {
  search::OptionText coverage{"", "--coverage"};
  search::OptionText stop_when{"", "--stop-when"};
  search::OptionText saturation_runs{"", "--saturation-runs"};
  search::OptionText saturation_part{"", "--saturation-part"};
  // What the options are called that coverage depends on.
  const char* points_by = "--points";
  const char* races_by = "--races";
};

// Requires: the strategy and the plan of the request are known. An error names the option.
Status read_coverage_options(const CoverageTexts& texts, Request& request);

}  // namespace raddle::session
