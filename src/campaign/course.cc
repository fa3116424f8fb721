// SPDX-License-Identifier: Apache-2.0
//
// See course.h. Engine side.
#include "campaign/course.h"

#include <algorithm>

#include "launch/executor.h"

namespace raddle::campaign {

void Course::fail(const Error& error) {
  if (error.exit_code == launch::kExitInterrupted)
    outcome.interrupted = true;
  else if (!outcome.failure)
    outcome.failure = error;
}

void Course::fail_with_search() {
  if (measured == nullptr) return;
  if (auto failure = measured->failure()) fail(*failure);
}

facts::SearchSize Course::size() const {
  return measured != nullptr ? measured->size() : facts::SearchSize();
}

std::optional<std::uint64_t> Course::distinct_runs() const {
  return measured != nullptr ? measured->distinct_runs() : std::nullopt;
}

bool Course::has_stopping_finding() const {
  return std::ranges::any_of(outcome.result.findings, [this](const facts::Finding& finding) {
    if (options.all_stop) return options.failing.counts(finding.kind);
    return finding.kind.severity == facts::Severity::failure;
  });
}

bool Course::has_failed() const {
  return std::ranges::any_of(outcome.result.findings, [this](const facts::Finding& finding) {
    return !finding.kind.is_warning() || options.failing.counts(finding.kind);
  });
}

bool Course::is_infeasible(const Trial& trial) const {
  return options.schedule != ScheduleUse::none &&
         trial.judgement.outcome == facts::Outcome::finding &&
         trial.judgement.kind == facts::FindingKind::schedule_deadlock;
}

bool Course::asked_to_stop() const {
  return options.interrupts != nullptr && *options.interrupts > 0;
}

bool Course::late() const {
  return options.budget.time_max.count() != 0 &&
         Clock::now() - begin > options.budget.time_max * 5 / 4;
}

double Course::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace raddle::campaign
