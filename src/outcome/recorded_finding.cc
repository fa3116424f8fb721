// SPDX-License-Identifier: Apache-2.0
//
// See recorded_finding.h. Engine side.
#include "outcome/recorded_finding.h"

#include "detect/registry.h"
#include "outcome/reporter.h"

namespace raddle::outcome {

void look_for_recorded(campaign::Trials& trials, const facts::Schedule& schedule) {
  trials.look_by({.recorded = schedule.kind});
}

void prefer_recorded(campaign::Trial& trial, const facts::Schedule& schedule,
                     const std::string& error_output, report::Names& names) {
  auto kind = facts::finding_kind(schedule.kind);
  const detect::Detector* detector = kind ? detect::detector_of(*kind) : nullptr;
  if (detector == nullptr || detector->told == detect::Told::as_the_end) return;
  campaign::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  std::optional<campaign::Trial> first;
  for (const facts::Evidence& candidate : trial.evidence) {
    if (candidate.kind != *kind) continue;
    campaign::Trial about = trial;
    about.judgement = {facts::Outcome::finding, *kind};
    about.about = candidate;
    facts::Finding finding =
        describe_trial(about, surroundings, schedule.directory, error_output, names);
    bool recorded = finding.message == schedule.message;
    if (!first || recorded) first = std::move(about);
    if (recorded) break;
    if (detector->guesses_when_repeated) first.reset();
  }
  if (first) trial = std::move(*first);
}

}  // namespace raddle::outcome
