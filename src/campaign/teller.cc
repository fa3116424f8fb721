// SPDX-License-Identifier: Apache-2.0
//
// See teller.h. Engine side.
#include "campaign/teller.h"

#include <fmt/core.h>

#include "campaign/owned_trial.h"
#include "campaign/recording.h"
#include "detect/registry.h"
#include "facts/event_hash.h"

namespace raddle::campaign {

using facts::Outcome;

namespace {

// What detectors see on the way of a run is counted run by run (Inspector::count_known).
bool is_counted(const Trial& trial) {
  const detect::Detector* detector = trial.about ? detect::detector_of(trial.about->kind) : nullptr;
  return detector != nullptr && detector->told == detect::Told::at_once;
}

bool shows_again(const Trial& first, const Trial& again) {
  if (!first.about)
    return again.judgement.outcome == Outcome::finding &&
           again.judgement.kind == first.judgement.kind;
  // A run that should not have been possible, and is.
  if (detect::detector_of(first.about->kind) == nullptr)
    return again.judgement.outcome == Outcome::ok;
  return detect::find_same(again.evidence, *first.about) != nullptr;
}

}  // namespace

std::string describe_end(const Trial& trial) {
  switch (trial.judgement.outcome) {
    case Outcome::ok:
      return "ended normally";
    case Outcome::finding:
      return fmt::format("ended in `{}`", trial.judgement.kind.name);
    case Outcome::limited:
      return "did not end within --max-steps";
    case Outcome::diverged:
      return fmt::format("left the schedule at step {}: {}", trial.run.verdict.step,
                         trial.run.verdict.message);
    case Outcome::blocked:
      return "was cut short";
    case Outcome::unsupported:
      break;
  }
  return trial.run.verdict.message;
}

std::string Teller::tell_of(const facts::Evidence& evidence, const facts::Plan& plan,
                            const Trial& trial, const Origin& origin) {
  Trial about = trial;
  about.judgement = {Outcome::finding, evidence.kind};
  about.about = evidence;
  return tell(plan, about, origin);
}

std::string Teller::tell(const facts::Plan& plan, const Trial& trial, const Origin& origin) {
  launch::Executor& executor = course_.trials->executor();
  Sighting seen{trial, origin.run, executor.modules(), {}, executor.error_output()};
  facts::Finding finding = course_.desk.describe(seen);
  std::string signature = finding.signature();
  if (!signatures_.insert(signature).second) {
    if (!is_counted(trial)) course_.listener.on_seen_again(signature);
    return signature;
  }
  if (leaves_out(finding)) return signature;
  OwnedTrial owned(trial);
  Sighting kept{owned.trial, origin.run, seen.modules, executor.output(), seen.error_output};
  facts::Schedule schedule = record(course_.options.program, course_.trials->surroundings(), plan,
                                    owned.trial.run, kept.modules);
  auto again = course_.trials->repeat(strict_plan(plan, owned.trial.run.choices));
  if (!again) {
    course_.fail(again.error());
    return signature;
  }
  course_.listener.on_run(again->run);
  // The same steps, this time with the calls that led to them: now more can be said.
  if (facts::event_hash(again->run.events) == schedule.events_hash) {
    owned.trial.run.stacks = again->run.stacks;
    finding = course_.desk.describe(kept);
    if (leaves_out(finding)) return signature;
  }
  if (course_.desk.suppressed(finding)) {
    ++course_.outcome.result.suppressed;
    return signature;
  }
  finding.schedule_index = origin.run;
  finding.directed_run = origin.directed_run;
  schedule.test = course_.options.test;
  schedule.kind = finding.kind.name;
  schedule.message = finding.message.substr(0, finding.message.find('\n'));
  finding.message += remark(owned.trial);
  if (!shows_again(owned.trial, *again)) note_not_reproduced(*again, finding);
  if (auto status = course_.desk.keep(finding, kept, schedule); !status)
    course_.fail(status.error());
  course_.outcome.result.findings.push_back(finding);
  course_.listener.on_finding(finding, signature);
  return signature;
}

// Whether it is a race of the C++ library that nobody has asked for; then it is counted.
bool Teller::leaves_out(const facts::Finding& finding) {
  if (finding.library.empty()) return false;
  // Threads of std::lock that keep in step are slow for a while: that is its way.
  if (finding.kind == facts::FindingKind::lockstep_livelock) return true;
  if (course_.options.library_races) return false;
  ++course_.outcome.result.library_races[finding.library];
  return true;
}

// What a campaign adds to what a detector has to say.
std::string Teller::remark(const Trial& trial) const {
  const detect::Detector* detector = trial.about ? detect::detector_of(trial.about->kind) : nullptr;
  if (detector == nullptr) return "";
  std::string text;
  if (detector->confirmation != nullptr) {
    if (const Suspect* suspect = suspects_.find(*trial.about))
      text = fmt::format("; not confirmed by {} directed runs", suspect->directed_runs);
  }
  if (detector->remark == nullptr) return text;
  detect::Context context;
  context.runs = course_.runs;
  context.end = facts::judge(trial.run, course_.trials->surroundings().expect_exit);
  context.told = [this](const facts::FindingKind& kind, const auto& such) {
    return suspects_.any_of(kind, such);
  };
  return text + detector->remark(*trial.about, context);
}

// A finding that its own schedule does not reproduce is still true, but the user has to know.
void Teller::note_not_reproduced(const Trial& again, facts::Finding& finding) {
  std::string end = describe_end(again);
  std::string left = course_.desk.left_behind();
  if (!left.empty()) end += "; " + left;
  finding.message += fmt::format(" [not reproduced: under the same schedule the program {}]", end);
  if (course_.outcome.result.nondeterminism.empty())
    course_.outcome.result.nondeterminism =
        fmt::format("the schedule of a finding did not reproduce it: the program {}", end);
  course_.listener.on_note(fmt::format(
      "a finding does not replay: under the same schedule the program "
      "{}; it depends on {}",
      end,
      left.empty() ? "something raddle does not control" : "what earlier runs have left behind"));
}

}  // namespace raddle::campaign
