// SPDX-License-Identifier: Apache-2.0
//
// What a campaign does with violations of learned atomicity: each is told once, with the run that
// first showed it. Engine side. They are looked for in runs that record every access to shared
// data; a run of a search that looks at less is looked at again when it fails, and then has them.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "search/campaign.h"
#include "search/violations.h"

namespace raddle::search {

namespace {

// Otherwise plain accesses are not recorded, or some reads are missing: P might be another one.
bool records_accesses(const facts::Plan& plan) {
  return plan.header.points != wire::Points::sync && plan.header.races != 0;
}

}  // namespace

bool Campaign::has_new_violations(const facts::Plan& plan, const Trial& trial) const {
  if (!records_accesses(plan) || plan.header.racing_only != 0) return false;
  if (violations_.size() == kViolationsMax) return false;
  return std::ranges::any_of(trial.violations, [this](const facts::Evidence& violation) {
    return !violations_.contains(violation_places(violation));
  });
}

void Campaign::handle_violations(const facts::Plan& plan, const Trial& trial) {
  if (!records_accesses(plan)) return;
  std::set<std::string> again;
  for (const facts::Evidence& violation : trial.violations) {
    auto known = violations_.find(violation_places(violation));
    if (known != violations_.end()) {
      again.insert(known->second);
      continue;
    }
    if (violations_.size() == kViolationsMax) continue;
    Trial about = trial;
    about.judgement = {Outcome::finding, facts::FindingKind::atomicity_violation};
    about.evidence = {violation};
    violations_[violation_places(violation)] = handle_finding(plan, about);
    if (outcome_.failure || outcome_.interrupted) return;
  }
  for (const std::string& signature : again) listener_.on_seen_again(signature);
}

// Of a run that has shown something on its way; "" if it ended well.
std::string Campaign::what_became_of(const facts::Run& run) const {
  Judgement end = judge(run, trials_->surroundings().expect_exit);
  if (end.outcome != Outcome::finding) return "";
  return fmt::format("; the run ended in `{}`", facts::finding_name(end.kind));
}

}  // namespace raddle::search
