// SPDX-License-Identifier: Apache-2.0
//
// Potential deadlocks that a campaign has yet to try, and the plans of the directed runs that try
// one. Engine side; pure.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "facts/evidence.h"
#include "facts/run.h"

namespace raddle::search {

// So many runs try one potential deadlock.
inline constexpr unsigned kDirectedMax = 5;
// So many further runs a search gets to come across the deadlock by itself; then it is tried.
inline constexpr std::uint64_t kSearchFirst = 100;
// More than that a campaign does not try.
inline constexpr std::size_t kSuspicionsMax = 64;

struct Suspicion {
  facts::Evidence cycle;
  facts::Plan plan;       // repeats the run that showed it
  std::uint64_t run = 0;  // which one that was, from 1
};

class LockCycles {
 public:
  // A run of the search has shown it.
  void suspect(const facts::Plan& plan, const facts::Run& run, const facts::Evidence& cycle,
               std::uint64_t number);
  // A run has deadlocked.
  void deadlocked(const facts::Run& run);

  // The next one to be tried when `runs` have been made; with `all`, also those that the search may
  // still come across. Those that have come about meanwhile are left out.
  std::optional<Suspicion> next(std::uint64_t runs, bool all);

  bool has_come_about(const facts::Evidence& cycle) const;

 private:
  std::deque<Suspicion> waiting_;
  std::set<std::uint64_t> known_;                    // keys
  std::set<std::vector<std::uint64_t>> come_about_;  // locks of deadlocks
};

// The runs that try to make the cycle a deadlock, kDirectedMax of them: its threads in every order
// in which they can follow each other around it, then at random. `plan` is that of a run.
std::vector<facts::Plan> directed_plans(const facts::Plan& plan, const facts::Evidence& cycle);

}  // namespace raddle::search
