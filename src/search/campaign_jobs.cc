// SPDX-License-Identifier: Apache-2.0
//
// What a campaign does differently where several runs are made at a time (--jobs): each in a
// process of its own, all for one search, which is told of them in the order in which they end.
// Engine side.
//
// The engine itself stays one thread: it looks at one run while the others last. So a finding is
// repeated and kept as always, by the executor that has shown it.
#include <algorithm>

#include "search/campaign.h"

namespace raddle::search {

void Campaign::start_jobs() {
  for (Job& job : jobs_) {
    if (job.plan) continue;
    auto busy = static_cast<std::uint64_t>(
        std::ranges::count_if(jobs_, [](const Job& other) { return other.plan.has_value(); }));
    if (options_.schedules_max != 0 && runs_ + busy >= options_.schedules_max) return;
    auto plan = search_.next();
    if (!plan) {
      if (auto failure = search_.failure()) fail(*failure);
      return;
    }
    if (auto begun = job.trials->begin(*plan); !begun) return fail(begun.error());
    job.plan = std::move(*plan);
    job.begun = ++begun_;
  }
}

// False when there is nothing more to do, for now: runs may be under way.
bool Campaign::step_jobs() {
  start_jobs();
  return !outcome_.failure && !outcome_.interrupted && finish_job();
}

// Looks at the run that ends first; false if none is under way.
bool Campaign::finish_job() {
  std::vector<Job*> busy;
  for (Job& job : jobs_)
    if (job.plan) busy.push_back(&job);
  if (busy.empty()) return false;
  std::ranges::sort(busy, {}, [](const Job* job) { return job->begun; });
  std::vector<launch::Executor*> executors;
  for (const Job* job : busy) executors.push_back(&job->trials->executor());
  Job& job = *busy[launch::wait_for_any(executors)];
  facts::Plan plan = std::move(*job.plan);
  job.plan.reset();
  trials_ = job.trials;
  auto trial = trials_->finish();
  if (!trial) {
    fail(trial.error());
    return true;
  }
  trial->run.ticket = plan.ticket;
  look_at(plan, *trial);
  return true;
}

}  // namespace raddle::search
