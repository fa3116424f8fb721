// SPDX-License-Identifier: Apache-2.0
//
// The detector of data races: the runtime sees them (runtime/race.h), analysis/races.h reads what
// it has written down. Engine side. Two races between the same two places of code are one.
#include "analysis/races.h"

#include <algorithm>

#include "base/rng.h"
#include "detect/detector.h"
#include "report/race_words.h"

namespace raddle::detect {
namespace {

std::unique_ptr<analysis::Analysis> make(const Settings&) {
  return std::make_unique<analysis::Races>();
}

std::uint64_t places(const Evidence& race) {
  auto [low, high] = std::minmax(race.events[0].site, race.events[1].site);
  return (std::uint64_t{low} << 32) | high;
}

}  // namespace

extern const Detector kRaces;
constinit const Detector kRaces = {
    .name = "races",
    .description = "accesses to the same bytes that nothing orders, one of them a write",
    .kind = facts::FindingKind::data_race,
    .make = make,
    .key = places,
    .words = report::describe_race,
};

}  // namespace raddle::detect
