// SPDX-License-Identifier: Apache-2.0
//
// See replay.h. Engine side, in the program's process.
//
// A schedule recorded in a later run may not fit a first run, which initialises what later ones
// find initialised. Which of the two it was, trying tells.
#include "check/replay.h"

#include <fmt/core.h>

#include "campaign/recording.h"
#include "outcome/recorded_finding.h"

namespace raddle::check {
namespace {

using facts::Outcome;

Result<campaign::Trial> follow(const facts::Schedule& schedule, InProcessExecutor& executor,
                               campaign::Trials& trials, TestReporter& reporter) {
  std::size_t unknown = 0;
  auto trial = trials.repeat(campaign::strict_plan(schedule, executor.modules(), unknown));
  if (!trial) return trial;
  report::ProgramNames names(facts::ModuleTable::from_wire(executor.modules()),
                             reporter.symbolizer(), trial->run.stacks.get());
  outcome::prefer_recorded(*trial, schedule, "", names);
  return trial;
}

bool shows(const Result<campaign::Trial>& trial, const facts::Schedule& schedule) {
  return trial && trial->judgement.outcome == Outcome::finding &&
         (schedule.kind.empty() || trial->judgement.kind.name == schedule.kind);
}

// A run that should not have been possible, and is: it ends well.
void believe_feasible(const session::Request& request, Result<campaign::Trial>& trial) {
  bool expected = request.campaign.schedule == campaign::ScheduleUse::expect_infeasible;
  if (!trial || !expected || trial->judgement.outcome != Outcome::ok) return;
  facts::Evidence feasible;
  feasible.kind = facts::FindingKind::schedule_violation;
  trial->judgement = {Outcome::finding, feasible.kind};
  trial->about = feasible;
}

}  // namespace

Result<std::uint64_t> replay(const Settings& settings, InProcessExecutor& executor,
                             TestReporter& reporter) {
  const session::Request& request = settings.request;
  auto schedule = report::FindingStore(request.out).load_schedule(settings.replay);
  if (!schedule) return Error{"RADDLE_REPLAY: " + schedule.error().message, kExitUsage};
  if (schedule->test != settings.test()) return std::uint64_t{0};
  campaign::Trials trials(executor, request.program().directory, request.surroundings, nullptr);
  outcome::look_for_recorded(trials, *schedule);
  auto trial = follow(*schedule, executor, trials, reporter);
  if (!shows(trial, *schedule)) {
    auto first = trials.run(search::Learned(request.plan).plan("nonpreemptive", 0, 0));
    if (!first) return first.error();
    if (auto status = executor.renew_server(); !status) return status.error();
    trial = follow(*schedule, executor, trials, reporter);
  }
  believe_feasible(request, trial);
  if (!trial) return trial.error();
  switch (trial->judgement.outcome) {
    case Outcome::finding:
      reporter.tell({*trial, 1, executor.modules(), executor.output(), executor.error_output()},
                    settings.replay);
      return std::uint64_t{1};
    case Outcome::diverged:
      return Error{
          fmt::format("RADDLE_REPLAY: the test no longer follows {}: at step {} {}",
                      settings.replay, trial->run.verdict.step, trial->run.verdict.message),
          kExitUsage};
    case Outcome::unsupported:
      return Error{trial->run.verdict.message, kExitCannotRun};
    case Outcome::ok:
    case Outcome::limited:
    case Outcome::blocked:
      break;
  }
  reporter.on_note(
      fmt::format("{} no longer leads to the finding ({})", settings.replay, schedule->kind));
  return std::uint64_t{1};
}

}  // namespace raddle::check
