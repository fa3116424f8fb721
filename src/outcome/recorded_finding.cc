// SPDX-License-Identifier: Apache-2.0
//
// See recorded_finding.h. Engine side.
#include "outcome/recorded_finding.h"

#include "analysis/avio.h"
#include "outcome/reporter.h"

namespace raddle::outcome {
namespace {

// The recorded violation of atomicity, if the run has it. What was learned is not asked for: it may
// be elsewhere, or have changed since.
void prefer_violation(search::Trial& trial, const facts::Schedule& schedule,
                      const std::string& error_output, report::Names& names) {
  using analysis::Granularity;
  search::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  for (Granularity granularity : {Granularity::word, Granularity::byte, Granularity::line}) {
    analysis::Avio avio(granularity);
    avio.suspect([](SiteId) { return true; });
    avio.begin();
    for (const wire::Event& event : trial.run.events) avio.on_event(event);
    analysis::Findings candidates;
    avio.finish(trial.run, candidates);
    for (const facts::Evidence& candidate : candidates) {
      search::Trial about = trial;
      about.judgement = {search::Outcome::finding, facts::FindingKind::atomicity_violation};
      about.evidence = {candidate};
      facts::Finding finding =
          describe_trial(about, surroundings, schedule.directory, error_output, names);
      if (finding.message != schedule.message) continue;
      trial = std::move(about);
      return;
    }
  }
}

}  // namespace

void look_for_recorded(search::Trials& trials, const facts::Schedule& schedule) {
  if (facts::finding_kind(schedule.kind) == facts::FindingKind::inconsistent_locks)
    trials.look_at_locksets();
}

void prefer_recorded(search::Trial& trial, const facts::Schedule& schedule,
                     const std::string& error_output, report::Names& names) {
  auto kind = facts::finding_kind(schedule.kind);
  if (kind == facts::FindingKind::atomicity_violation)
    return prefer_violation(trial, schedule, error_output, names);
  const analysis::Findings* found = kind == facts::FindingKind::potential_deadlock ? &trial.cycles
                                    : kind == facts::FindingKind::data_race        ? &trial.races
                                    : kind == facts::FindingKind::inconsistent_locks
                                        ? &trial.unprotected
                                        : nullptr;
  if (found == nullptr || found->empty()) return;
  const analysis::Findings candidates = *found;
  trial.judgement = {search::Outcome::finding, *kind};
  search::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  for (const facts::Evidence& candidate : candidates) {
    trial.evidence = {candidate};
    facts::Finding finding =
        describe_trial(trial, surroundings, schedule.directory, error_output, names);
    if (finding.message == schedule.message) return;
  }
  trial.evidence = {candidates.front()};
}

}  // namespace raddle::outcome
