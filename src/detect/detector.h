// SPDX-License-Identifier: Apache-2.0
//
// Detector: all there is to say about one sort of thing that is looked for in the events of runs.
// Engine side. To add one: a file of its own and a row in detect/registry.cc. Nobody else knows
// which detectors there are: trials make their analyses, campaigns keep their suspects, reports use
// their words, by the row.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/avio.h"
#include "facts/judge.h"
#include "report/describe.h"

namespace raddle::detect {

using facts::Evidence;

// What the user asks for, and what is known of the program.
struct Settings {
  bool lock_order = true;  // orders of locks that could deadlock
  bool locksets = false;   // data without a lock
  // Learned atomicity: whether accesses at the site are one with what comes before; null: unknown.
  std::function<bool(SiteId)> invariant = nullptr;
  analysis::Granularity granularity = analysis::Granularity::word;
  // The kind of a kept finding whose run is repeated: its detector looks for it whatever else is
  // asked for. "": none.
  std::string recorded = "";
};

// When a campaign tells of what a detector has seen.
enum class Told : std::uint8_t {
  at_once,     // with the run that first showed it
  when_over,   // at the end of the campaign, unless a run has shown meanwhile that it is real
  as_the_end,  // it is how the run has ended: looked for only in runs that were cut
};

// What a run has to record for the detector's word to be worth anything; a set.
enum Needs : std::uint8_t {
  kNothing = 0,
  kAllAccesses = 1,  // to shared data, not only those that race (Plan::racing_only)
  kEveryRead = 2,    // also those that only the race detector has to see
  kStacks = 4,       // the calls that led to each event
};

// How a campaign finds out whether a suspicion is real: by runs beside its search.
struct Confirmation {
  // The runs that try it. `plan` is that of a run that has shown it.
  std::vector<facts::Plan> (*plans)(const facts::Plan& plan, const Evidence& evidence);
  // What the evidence says could come about, and what has come about in a run (if anything): equal
  // for the same.
  std::vector<std::uint64_t> (*claim)(const Evidence& evidence);
  std::optional<std::vector<std::uint64_t>> (*fact)(const facts::Run& run);
};

// What a campaign knows when it tells of a suspicion.
struct Context {
  std::uint64_t runs = 0;     // of the search
  facts::Judgement end = {};  // of the run that is told of
  // Whether evidence of that kind has been told of that is such.
  std::function<bool(const facts::FindingKind&, const std::function<bool(const Evidence&)>&)> told;
};

inline constexpr std::size_t kUnlimited = static_cast<std::size_t>(-1);

struct Detector {
  std::string_view name;         // of `raddle list analyses`
  std::string_view description;  // one line
  facts::FindingKind kind;
  // Null: it is not asked for.
  std::unique_ptr<analysis::Analysis> (*make)(const Settings& settings);
  // Equal for two sightings of the same thing, in one run or in two of the same program.
  std::uint64_t (*key)(const Evidence& evidence);
  report::EvidenceWords* words = nullptr;  // null: kind and place will do
  Told told = Told::at_once;
  unsigned needs = kNothing;                   // Needs
  std::size_t suspects_max = kUnlimited;       // further ones a campaign does not look at
  const Confirmation* confirmation = nullptr;  // null: there is none
  // Of two sightings of the same thing, the one that says less; null: the first one is told of.
  bool (*says_less)(const Evidence& evidence, const Evidence& than) = nullptr;
  // Added to the message; null: nothing.
  std::string (*remark)(const Evidence& evidence, const Context& context) = nullptr;
  // For a run that is repeated it looks for more than in campaigns: only what was recorded counts.
  bool guesses_when_repeated = false;
};

}  // namespace raddle::detect
