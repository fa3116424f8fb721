// SPDX-License-Identifier: Apache-2.0
//
// What a campaign amounts to: the numbers and findings of its summary and of --json. Engine side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "facts/failing.h"
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
  std::uint64_t on_disk = 0, peak_on_disk = 0;        // nodes that left the memory (--memory)
  std::uint64_t peak_disk_bytes = 0;
  bool too_many_threads = false;  // some were never looked at
};

// How large the space of a systematic search is, and how much of it is done. Counts every run that
// the search makes, those that sleep sets cut short, too.
struct SpaceEstimate {
  double runs = 0;  // that there are, with those made; infinity: beyond all numbers
  double done = 0;  // the part that has been made, from 0 to 1
};

struct CampaignResult {
  std::vector<std::string> program;  // argv
  std::string strategy;
  std::uint64_t seed = 0;
  std::uint64_t schedules = 0;  // complete runs
  std::uint64_t steps = 0;
  double seconds = 0;
  std::string
      stopped;  // why it ended before its limits, if a rule of the user's (--stop-when) did it
  bool complete = false;                  // every schedule that the strategy promises was tried
  std::string guarantee;                  // what was shown if nothing was found, in words
  std::optional<SpaceEstimate> estimate;  // of a systematic search that did not complete
  std::string state_file;           // where an unfinished search was kept for --resume, if it was
  bool resumed = false;             // the search began with an earlier campaign
  std::uint64_t limited = 0;        // runs cut by the step limit
  std::uint64_t infeasible = 0;     // runs that could not satisfy the test's event schedule
  std::uint64_t blocked = 0;        // runs that a sleep set cut short
  std::uint64_t directed_runs = 0;  // made beside the search, to try potential deadlocks
  std::uint64_t confirmed = 0;      // potential deadlocks that such a run has shown to be real
  Failing failing;                  // which findings count
  std::uint64_t suppressed = 0;     // findings left out by --suppressions
  // Races inside the C++ library that were left out, by where in it.
  std::map<std::string, std::uint64_t> library_races;
  std::uint64_t behaviours = 0;  // distinct happens-before orders
  std::string forked_because;    // why runs took a fork each, if they were not to
  std::string nondeterminism;    // where the program left raddle's control, empty if it did not
  std::vector<std::string> unused_events;  // sentences on events that no run has passed
  SearchSize size;
  std::vector<Finding> findings;

  // One of the findings counts.
  bool failed() const {
    return std::ranges::any_of(
        findings, [this](const Finding& finding) { return failing.counts(finding.kind); });
  }
};

}  // namespace raddle::facts
