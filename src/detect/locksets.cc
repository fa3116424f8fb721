// SPDX-License-Identifier: Apache-2.0
//
// The detector of data that no lock protects consistently (analysis/locksets.h): a warning at the
// end of a campaign, when it is known what the race detector has seen of it. Engine side.
#include "analysis/locksets.h"

#include <fmt/core.h>

#include <algorithm>

#include "detect/detector.h"
#include "report/lockset_words.h"

namespace raddle::detect {
namespace {

std::unique_ptr<analysis::Analysis> make(const Settings& settings) {
  bool recorded = settings.recorded == facts::FindingKind::inconsistent_locks.name;
  if (!settings.locksets && !recorded) return nullptr;
  return std::make_unique<analysis::Locksets>();
}

// Of accesses from before the data was shared the locks are not known.
auto vague(const Evidence& evidence) {
  return std::ranges::count_if(evidence.events, [](const wire::Event& event) {
    return (event.flags & wire::kEventRemembered) != 0;
  });
}

bool is_vaguer(const Evidence& evidence, const Evidence& than) {
  return vague(evidence) > vague(than);
}

// What the race detector has to say about the same accesses.
std::string second_opinion(const Evidence& evidence, const Context& context) {
  auto is_of = [&](SiteId site) {
    return std::ranges::any_of(evidence.events, [site](const wire::Event& event) {
      return event.kind != wire::OpKind::held && event.site == site;
    });
  };
  bool raced = context.told(facts::FindingKind::data_race, [&](const Evidence& race) {
    return is_of(race.events[0].site) && is_of(race.events[1].site);
  });
  if (raced) return "; the race detector has seen a race there, too";
  return fmt::format(
      "; the race detector has seen no race there in {} runs: something else may order them",
      context.runs);
}

}  // namespace

extern const Detector kLocksets;
constinit const Detector kLocksets = {
    .name = "locksets",
    .description = "data that no lock protects at all accesses (with --locksets: may be wrong)",
    .kind = facts::FindingKind::inconsistent_locks,
    .make = make,
    .key = analysis::unprotected_key,
    .words = report::describe_lockset,
    .told = Told::when_over,
    .needs = kAllAccesses,
    .suspects_max = 16,  // more warnings than that nobody reads
    .says_less = is_vaguer,
    .remark = second_opinion,
};

}  // namespace raddle::detect
