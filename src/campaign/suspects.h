// SPDX-License-Identifier: Apache-2.0
//
// Suspects: what detectors have seen in the runs of a campaign, each thing once. Engine side; pure.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "detect/detector.h"
#include "facts/run.h"

namespace raddle::campaign {

// So many further runs a search gets to come across what is suspected by itself; then it is tried.
inline constexpr std::uint64_t kSearchFirst = 100;

struct Suspect {
  const detect::Detector* detector;
  facts::Evidence evidence;
  facts::Plan plan;       // repeats the run that showed it; of those told of at once: empty
  std::uint64_t run = 0;  // which one that was, from 1
  std::string signature;  // of the finding, once it has been told of
  bool tried = false;     // by directed runs
  std::uint64_t directed_runs = 0;
};

class Suspects {
 public:
  // Null if it has not been seen yet.
  const Suspect* find(const facts::Evidence& evidence) const;
  Suspect* find(const facts::Evidence& evidence) {
    return const_cast<Suspect*>(std::as_const(*this).find(evidence));
  }
  // Null if there are too many of the sort. Requires: not seen yet.
  Suspect* add(const facts::Evidence& evidence, std::uint64_t run);

  // Whether another one like that would be added.
  bool has_room(const facts::Evidence& evidence) const;

  // A run has come to its end: what is suspected may have come about.
  void note_facts(const facts::Run& run);
  bool has_come_about(const Suspect& suspect) const;

  // The next one to be tried when `runs` have been made; with `all`, also those that the search may
  // still come across. Those that have come about meanwhile are left out. Null: none.
  Suspect* next_to_try(std::uint64_t runs, bool all);

  // Those to be told of when the campaign is over, in the order in which they were seen: what could
  // have been confirmed and was not, then the rest.
  std::vector<Suspect*> left_over();

  bool any_of(const facts::FindingKind& kind,
              const std::function<bool(const facts::Evidence&)>& such) const;

 private:
  using Key = std::pair<const detect::Detector*, std::uint64_t>;

  std::deque<Suspect> all_;
  std::map<Key, std::size_t> index_;
  std::map<const detect::Detector*, std::size_t> counts_;
  std::deque<std::size_t> waiting_;  // to be tried
  std::set<std::pair<const detect::Detector*, std::vector<std::uint64_t>>> facts_;
};

}  // namespace raddle::campaign
