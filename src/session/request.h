// SPDX-License-Identifier: Apache-2.0
//
// Request: what a session is asked for, the same for the command line and for unit tests. How the
// words of either become one is theirs (cli/test_options.h, check/settings.h), and so are their
// defaults. Engine side.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "analysis/saturation.h"
#include "campaign/options.h"
#include "campaign/recording.h"
#include "launch/executor.h"
#include "search/search_options.h"

namespace raddle::session {

// In which runs coverage is observed.
enum class ObserveRuns : std::uint8_t { none, some, all };

// Whether to go on with the search that the last campaign did not finish.
enum class Resume : std::uint8_t {
  no,
  if_kept,  // else a new one is begun
  must,     // it is an error if there is none
};

struct Request {
  campaign::CampaignOptions campaign;  // the program, the budget, what counts as failure
  const search::Strategy* strategy = nullptr;
  search::PlanOptions plan;
  search::FocusNames focus;
  campaign::Surroundings surroundings;
  std::chrono::milliseconds run_timeout{10'000};
  unsigned jobs = 1;         // runs at a time
  bool keep_search = false;  // keep the state of a search that is not finished
  Resume resume = Resume::no;

  bool lock_order = true;           // what could deadlock is tried
  bool locksets = false;            // warn of data that no lock protects at all accesses
  bool atomicity = true;            // look for violations of what was learned of the program
  search::OptionText suppressions;  // a file of findings to leave out

  bool memo = false;  // remember in OUT/memo.db, and use what is remembered
  ObserveRuns coverage = ObserveRuns::none;
  std::optional<analysis::SaturationRule> saturation;  // coverage that ends the campaign
  std::string out = ".raddle";                         // where findings are kept

  const launch::Program& program() const { return campaign.program; }
};

// How its runs are to be made.
launch::ExecutorOptions executor_options(const Request& request);

}  // namespace raddle::session
