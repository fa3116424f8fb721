// SPDX-License-Identifier: Apache-2.0
//
// See jobs.h. Engine side.
#include "campaign/jobs.h"

#include <algorithm>

namespace raddle::campaign {

Jobs::Jobs(Course& course, Trials& first, std::span<Trials* const> others) : course_(course) {
  jobs_.push_back({&first});
  for (Trials* other : others) jobs_.push_back({other});
}

void Jobs::start() {
  for (Job& job : jobs_) {
    if (job.plan) continue;
    auto busy = static_cast<std::uint64_t>(
        std::ranges::count_if(jobs_, [](const Job& other) { return other.plan.has_value(); }));
    std::uint64_t most = course_.options.budget.schedules_max;
    if (most != 0 && course_.runs + busy >= most) return;
    auto plan = course_.search.next();
    if (!plan) return course_.fail_with_search();
    if (auto begun = job.trials->begin(*plan); !begun) return course_.fail(begun.error());
    job.plan = std::move(*plan);
    job.begun = ++begun_;
  }
}

std::optional<Jobs::Ended> Jobs::finish() {
  std::vector<Job*> busy;
  for (Job& job : jobs_)
    if (job.plan) busy.push_back(&job);
  if (busy.empty()) return std::nullopt;
  std::ranges::sort(busy, {}, [](const Job* job) { return job->begun; });
  std::vector<launch::Overlapping*> executors;
  for (const Job* job : busy) executors.push_back(job->trials->overlapping());
  Job& job = *busy[launch::wait_for_any(executors)];
  facts::Plan plan = std::move(*job.plan);
  job.plan.reset();
  course_.trials = job.trials;
  auto trial = job.trials->finish();
  if (trial) trial->run.ticket = plan.ticket;
  return Ended{std::move(plan), std::move(trial)};
}

}  // namespace raddle::campaign
