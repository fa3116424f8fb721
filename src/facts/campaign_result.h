// SPDX-License-Identifier: Apache-2.0
//
// What a campaign amounts to: the numbers and findings of its summary and of --json. Engine side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facts/finding.h"

namespace raddle::facts {

// How far a systematic search has come, and the space that it takes, now and at its largest. Its
// runs are those since it last began anew, while a campaign's include those before.
struct SearchSize {
  std::uint64_t runs = 0;                             // complete
  std::uint64_t blocked = 0;                          // cut short by sleep sets
  std::uint64_t nodes = 0, peak_nodes = 0;            // of the execution tree
  std::uint64_t open = 0;                             // of these: yet to be run
  std::uint64_t tree_bytes = 0, peak_tree_bytes = 0;  // with the fringe
  std::uint64_t set_bytes = 0, peak_set_bytes = 0;    // done sets and sleep sets
  bool too_many_threads = false;                      // some were never looked at
};

struct CampaignResult {
  std::vector<std::string> program;  // argv
  std::string strategy;
  std::uint64_t seed = 0;
  std::uint64_t schedules = 0;  // complete runs
  std::uint64_t steps = 0;
  double seconds = 0;
  bool complete = false;         // every schedule that the strategy promises was tried
  std::string guarantee;         // what was shown if nothing was found, in words
  std::uint64_t limited = 0;     // runs cut by the step limit
  std::uint64_t infeasible = 0;  // runs that could not satisfy the test's event schedule
  std::uint64_t blocked = 0;     // runs that a sleep set cut short
  std::uint64_t suppressed = 0;  // findings left out by --suppressions
  std::uint64_t behaviours = 0;  // distinct happens-before orders
  std::string nondeterminism;    // where the program left raddle's control, empty if it did not
  std::vector<std::string> unused_events;  // sentences on events that no run has passed
  SearchSize size;
  std::vector<Finding> findings;
};

}  // namespace raddle::facts
