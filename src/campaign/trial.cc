// SPDX-License-Identifier: Apache-2.0
//
// Carrying out and judging one run. Engine side.
#include "campaign/trial.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>

#include "base/check.h"
#include "base/rng.h"
#include "campaign/owned_trial.h"
#include "launch/run_area.h"
#include "launch/shell_command.h"

namespace raddle::campaign {

using facts::FindingKind;

namespace {

// A detector may know how a run has ended that was cut.
void judge_cut(Trial& trial) {
  for (const facts::Evidence& evidence : trial.evidence) {
    if (detect::detector_of(evidence.kind)->told != detect::Told::as_the_end) continue;
    trial.judgement = {facts::Outcome::finding, evidence.kind};
    trial.about = evidence;
    return;
  }
}

}  // namespace

Status prepare_surroundings(const Surroundings& surroundings, const std::string& directory,
                            const volatile std::sig_atomic_t* interrupts) {
  if (surroundings.before.empty()) return Done{};
  auto result = launch::run_shell(surroundings.before, directory, {}, interrupts);
  if (!result) return result.error();
  if (result->wait_status == 0) return Done{};
  std::string printed = result->output.empty() ? "" : "; it printed:\n" + result->output;
  return Error{fmt::format("the --before command `{}` {}{}", surroundings.before,
                           launch::describe_status(result->wait_status), printed),
               kExitUsage};
}

Trials::Trials(launch::Executor& executor, std::string directory, Surroundings surroundings,
               const volatile std::sig_atomic_t* interrupts)
    : executor_(executor),
      overlapping_(dynamic_cast<launch::Overlapping*>(&executor)),
      in_place_(dynamic_cast<launch::InPlace*>(&executor)),
      directory_(std::move(directory)),
      surroundings_(std::move(surroundings)),
      interrupts_(interrupts) {}

Trials::~Trials() = default;

Result<Trial> Trials::run(const facts::Plan& plan) { return make(plan, &launch::Executor::run); }

Result<Trial> Trials::repeat(const facts::Plan& plan) {
  return make(plan, &launch::Executor::repeat);
}

Result<Trial> Trials::make(const facts::Plan& plan,
                           Result<facts::Run> (launch::Executor::*way)(const facts::Plan&)) {
  if (auto status = prepare_surroundings(surroundings_, directory_, interrupts_); !status)
    return status.error();
  auto run = (executor_.*way)(with_needs(plan));
  if (!run) return run.error();
  return settle(plan, judge_run(std::move(*run)));
}

Status Trials::begin(const facts::Plan& plan) {
  if (auto status = prepare_surroundings(surroundings_, directory_, interrupts_); !status)
    return status;
  begun_ = with_needs(plan);
  return overlapping_ != nullptr ? overlapping_->begin(*begun_) : Done{};
}

Result<Trial> Trials::finish() {
  RADDLE_CHECK(begun_.has_value());
  auto run = overlapping_ != nullptr ? overlapping_->finish() : executor_.run(*begun_);
  facts::Plan plan = std::move(*begun_);
  begun_.reset();
  if (!run) return run.error();
  return settle(plan, judge_run(std::move(*run)));
}

// What further runs say about a run that seems to go in circles. The same run is tried once.
Result<Circles> Trials::circles_of(const facts::Plan& plan, const OwnedTrial& trial) {
  std::uint64_t name = 0;
  for (const wire::ChoiceRecord& choice : trial.choices)
    name = mix64(name + (std::uint64_t{choice.step} << 16 | choice.picked));
  if (auto known = circles_.find(name); known != circles_.end()) return known->second;
  auto unproved = std::ranges::count_if(
      circles_, [](const auto& known) { return known.second == Circles::unproved; });
  if (static_cast<std::size_t>(unproved) >= kCirclesLookedAt) return Circles::unproved;
  auto tried = try_to_leave(executor_, plan, trial.trial.run);
  if (tried) circles_[name] = *tried;
  return tried;
}

Result<Trial> Trials::settle(const facts::Plan& plan, Result<Trial> trial) {
  if (!trial || !trial->about || trial->about->kind != FindingKind::livelock) return trial;
  settled_ = std::make_unique<OwnedTrial>(*trial);
  Trial& cut = settled_->trial;
  auto circles = circles_of(plan, *settled_);
  if (!circles) return circles.error();
  switch (*circles) {
    case Circles::endless:
      break;
    case Circles::in_step:
      cut.judgement.kind = FindingKind::lockstep_livelock;
      for (facts::Evidence& evidence : cut.evidence)
        if (evidence.kind == FindingKind::livelock) evidence.kind = FindingKind::lockstep_livelock;
      cut.about->kind = FindingKind::lockstep_livelock;
      break;
    case Circles::unproved:
      cut.judgement = {facts::Outcome::limited};
      std::erase_if(cut.evidence, [](const facts::Evidence& evidence) {
        return evidence.kind == FindingKind::livelock;
      });
      cut.about.reset();
      break;
  }
  return cut;
}

// The plan, with what detectors need beside it.
const facts::Plan& Trials::with_needs(const facts::Plan& plan) {
  if (plan.header.stacks != 0 || !panel_.needs(detect::kStacks)) return plan;
  completed_ = plan;
  completed_.header.stacks = 1;
  return completed_;
}

Result<Trial> Trials::judge_run(facts::Run run) {
  Trial trial;
  trial.run = std::move(run);
  trial.judgement = facts::judge(trial.run, surroundings_.expect_exit);
  bool cut = trial.judgement.outcome == facts::Outcome::limited;
  trial.evidence = panel_.look_at(trial.run, cut);
  if (cut) judge_cut(trial);
  if (facts::ended_well(trial.judgement))
    if (auto status = check_output(trial); !status) return status.error();
  return trial;
}

Status Trials::check_output(Trial& trial) {
  if (surroundings_.check.empty()) return Done{};
  auto result = launch::run_shell(surroundings_.check, directory_,
                                  {{"RADDLE_STDOUT", executor_.output_path()}}, interrupts_);
  if (!result) return result.error();
  if (result->wait_status == 0) return Done{};
  trial.judgement = {facts::Outcome::finding, FindingKind::check};
  bool killed = WIFSIGNALED(result->wait_status);
  trial.check_exit =
      killed ? 128 + WTERMSIG(result->wait_status) : WEXITSTATUS(result->wait_status);
  trial.check_output = result->output;
  return Done{};
}

}  // namespace raddle::campaign
