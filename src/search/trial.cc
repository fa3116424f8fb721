// SPDX-License-Identifier: Apache-2.0
//
// Carrying out and judging one run. Engine side.
#include "search/trial.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include "launch/run_area.h"
#include "launch/shell_command.h"

namespace raddle::search {

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
      directory_(std::move(directory)),
      surroundings_(std::move(surroundings)),
      interrupts_(interrupts) {}

Result<Trial> Trials::run(const facts::Plan& plan) {
  if (auto status = prepare_surroundings(surroundings_, directory_, interrupts_); !status)
    return status.error();
  auto run = executor_.run(plan);
  if (!run) return run.error();
  return judge_run(std::move(*run));
}

Status Trials::begin(const facts::Plan& plan) {
  if (auto status = prepare_surroundings(surroundings_, directory_, interrupts_); !status)
    return status;
  return executor_.begin(plan);
}

Result<Trial> Trials::finish() {
  auto run = executor_.finish();
  if (!run) return run.error();
  return judge_run(std::move(*run));
}

Result<Trial> Trials::repeat(const facts::Plan& plan) {
  if (auto status = prepare_surroundings(surroundings_, directory_, interrupts_); !status)
    return status.error();
  auto run = executor_.repeat(plan);
  if (!run) return run.error();
  return judge_run(std::move(*run));
}

Result<Trial> Trials::judge_run(facts::Run run) {
  Trial trial;
  trial.run = std::move(run);
  trial.judgement = judge(trial.run, surroundings_.expect_exit);
  races_.begin();
  lock_order_.begin();
  for (const wire::Event& event : trial.run.events) {
    races_.on_event(event);
    lock_order_.on_event(event);
  }
  races_.finish(trial.run, trial.races);
  lock_order_.finish(trial.run, trial.cycles);
  if (atomicity_) {
    atomicity_->begin();
    for (const wire::Event& event : trial.run.events) atomicity_->on_event(event);
    atomicity_->finish(trial.run, trial.violations);
  }
  if (locksets_) {
    locksets_->begin();
    for (const wire::Event& event : trial.run.events) locksets_->on_event(event);
    locksets_->finish(trial.run, trial.unprotected);
  }
  if (trial.judgement.outcome == Outcome::limited) judge_limited(trial);
  if (ended_well(trial.judgement))
    if (auto status = check_output(trial); !status) return status.error();
  return trial;
}

void Trials::suspect_atomicity(analysis::Granularity granularity,
                               std::function<bool(SiteId)> invariant) {
  atomicity_.emplace(granularity);
  atomicity_->suspect(std::move(invariant));
}

void Trials::judge_limited(Trial& trial) {
  livelock_.begin();
  for (const wire::Event& event : trial.run.events) livelock_.on_event(event);
  livelock_.finish(trial.run, trial.evidence);
  if (!trial.evidence.empty()) trial.judgement = {Outcome::finding, trial.evidence.front().kind};
}

Status Trials::check_output(Trial& trial) {
  if (surroundings_.check.empty()) return Done{};
  auto result = launch::run_shell(surroundings_.check, directory_,
                                  {{"RADDLE_STDOUT", executor_.output_path()}}, interrupts_);
  if (!result) return result.error();
  if (result->wait_status == 0) return Done{};
  trial.judgement = {Outcome::finding, facts::FindingKind::check};
  bool killed = WIFSIGNALED(result->wait_status);
  trial.check_exit =
      killed ? 128 + WTERMSIG(result->wait_status) : WEXITSTATUS(result->wait_status);
  trial.check_output = result->output;
  return Done{};
}

}  // namespace raddle::search
