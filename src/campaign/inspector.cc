// SPDX-License-Identifier: Apache-2.0
//
// See inspector.h. Engine side.
#include "campaign/inspector.h"

#include <set>

#include "base/check.h"
#include "campaign/recording.h"
#include "detect/registry.h"

namespace raddle::campaign {

using detect::Detector;
using detect::Told;
using facts::Outcome;

namespace {

// Whether a run of the plan shows all that the detector needs.
bool suffices(const facts::Plan& plan, const Detector& detector) {
  const wire::Plan& header = plan.header;
  if ((detector.needs & detect::kAllAccesses) != 0 && header.racing_only != 0) return false;
  bool every_read = header.points != wire::Points::sync && header.races != 0;
  return (detector.needs & detect::kEveryRead) == 0 || every_read;
}

// Evidence that is told of so and is worth something, with its detector.
template <class Visit>
void visit(const facts::Plan& plan, const Trial& trial, Told told, Visit&& each) {
  for (const facts::Evidence& evidence : trial.evidence) {
    const Detector* detector = detect::detector_of(evidence.kind);
    RADDLE_CHECK(detector != nullptr);  // evidence of trials is a panel's
    if (detector->told == told && suffices(plan, *detector)) each(evidence);
  }
}

}  // namespace

void Inspector::note(const facts::Plan& plan, const Trial& trial, bool own) {
  suspects_.note_facts(trial.run);
  visit(plan, trial, Told::when_over, [&](const facts::Evidence& evidence) {
    if (!own && detect::detector_of(evidence.kind)->confirmation == nullptr) return;
    if (Suspect* known = suspects_.find(evidence))
      return note_better(*known, evidence, plan, trial);
    if (Suspect* added = suspects_.add(evidence, course_.runs))
      added->plan = strict_plan(plan, trial.run.choices);
  });
}

// The first run that shows it is told of, unless a later one has more to say. Of runs in place the
// very first initialises what later ones find initialised, and may not come again.
void Inspector::note_better(Suspect& known, const facts::Evidence& evidence,
                            const facts::Plan& plan, const Trial& trial) {
  auto says_less = known.detector->says_less;
  if (says_less == nullptr) return;
  bool passing = known.run == 1 && course_.trials->in_place() != nullptr;
  bool better =
      says_less(known.evidence, evidence) || (passing && !says_less(evidence, known.evidence));
  if (!better) return;
  known.evidence = evidence;
  known.plan = strict_plan(plan, trial.run.choices);
  known.run = course_.runs;
}

void Inspector::count_known(const facts::Plan& plan, const Trial& trial,
                            const facts::Plan* counted) {
  std::set<std::string> seen;
  visit(plan, trial, Told::at_once, [&](const facts::Evidence& evidence) {
    if (counted != nullptr && suffices(*counted, *detect::detector_of(evidence.kind))) return;
    if (const Suspect* known = suspects_.find(evidence)) seen.insert(known->signature);
  });
  for (const std::string& signature : seen) course_.listener.on_seen_again(signature);
}

bool Inspector::has_new(const facts::Plan& plan, const Trial& trial) const {
  bool any = false;
  visit(plan, trial, Told::at_once, [&](const facts::Evidence& evidence) {
    any = any || (suspects_.find(evidence) == nullptr && suspects_.has_room(evidence));
  });
  return any;
}

void Inspector::tell_new(const facts::Plan& plan, const facts::Plan& made, const Trial& trial) {
  visit(made, trial, Told::at_once, [&](const facts::Evidence& evidence) {
    if (course_.broken() || suspects_.find(evidence) != nullptr) return;
    if (Suspect* added = suspects_.add(evidence, course_.runs))
      added->signature = teller_.tell_of(evidence, plan, trial, {course_.runs});
  });
}

bool Inspector::goes_on() const {
  bool found = !course_.options.keep_going && course_.has_stopping_finding();
  return !course_.broken() && !found && !course_.asked_to_stop() && !course_.late();
}

void Inspector::try_suspects(bool all) {
  // What has not come about when the search has been through everything cannot.
  if (all && search::proves_all(course_.search)) return;
  while (goes_on()) {
    Suspect* suspect = suspects_.next_to_try(course_.runs, all);
    if (suspect == nullptr) break;
    confirm(*suspect);
  }
}

// Makes the directed runs, until one of them has shown it to be real.
void Inspector::confirm(Suspect& suspect) {
  suspect.tried = true;
  facts::CampaignResult& result = course_.outcome.result;
  for (const facts::Plan& plan :
       suspect.detector->confirmation->plans(suspect.plan, suspect.evidence)) {
    bool in_place = course_.trials->in_place() != nullptr;
    auto trial = in_place ? course_.trials->repeat(plan) : course_.trials->run(plan);
    if (!trial) return course_.fail(trial.error());
    course_.listener.on_run(trial->run);
    ++result.directed_runs;
    ++suspect.directed_runs;
    if (trial->judgement.outcome != Outcome::finding || course_.is_infeasible(*trial)) continue;
    note(plan, *trial, false);
    teller_.tell(plan, *trial, {course_.runs, result.directed_runs});
    if (suspects_.has_come_about(suspect)) {
      ++result.confirmed;
      return;
    }
    if (course_.outcome.failure || (!course_.options.keep_going && course_.has_stopping_finding()))
      return;
  }
}

void Inspector::tell_left_over() {
  bool proved = search::proves_all(course_.search);
  for (Suspect* suspect : suspects_.left_over()) {
    if (course_.broken()) return;
    bool refuted = suspect->detector->confirmation != nullptr &&
                   (proved || !goes_on() || suspects_.has_come_about(*suspect));
    if (!refuted) tell_late(*suspect);
  }
}

// By the run that showed it.
void Inspector::tell_late(Suspect& suspect) {
  auto again = course_.trials->repeat(suspect.plan);
  if (!again) return course_.fail(again.error());
  course_.listener.on_run(again->run);
  const facts::Evidence* shown = detect::find_same(again->evidence, suspect.evidence);
  if (shown == nullptr) return;  // the program is not deterministic
  suspect.signature = teller_.tell_of(*shown, suspect.plan, *again, {suspect.run});
}

}  // namespace raddle::campaign
