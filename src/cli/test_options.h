// SPDX-License-Identifier: Apache-2.0
//
// What `raddle test` was asked to do. Engine side.
#pragma once

#include <optional>
#include <string>

#include "analysis/saturation.h"
#include "base/result.h"
#include "campaign/recording.h"
#include "cli/campaign_coverage.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "facts/failing.h"
#include "search/search_options.h"
#include "search/strategies.h"

namespace raddle::cli {

struct TestOptions {
  Arguments program;
  const search::Strategy* strategy = nullptr;
  search::PlanOptions plan;
  search::FocusNames focus;
  campaign::Surroundings surroundings;
  Budget budget;
  bool keep_going = false;
  bool stop_when_saturated = false;  // --stop-when
  analysis::SaturationRule saturation;
  unsigned jobs = 1;       // runs at a time
  bool resume = false;     // go on with the search that the last campaign did not finish
  facts::Failing failing;  // which findings make the exit code 1
  bool atomicity = true;   // look for violations of what `raddle learn` has learned
  bool locksets = false;   // warn of data that no lock protects at all accesses
  std::chrono::milliseconds run_timeout{0};
  std::string stdin_file;
  std::string suppressions;                  // a file, empty for none
  std::string json;                          // a file, "-" for standard output, empty for none
  ObserveRuns coverage = ObserveRuns::some;  // in which runs coverage is observed
  bool memo = true;                          // remember in OUT/memo.db, and use what is remembered
  std::string out;                           // where findings are kept
  std::string dump_events;  // for tests: a file to which the events of every run are appended
  bool quiet = false;
};

// Nothing if the help was asked for and printed.
Result<std::optional<TestOptions>> parse_test_options(const Arguments& arguments);

}  // namespace raddle::cli
