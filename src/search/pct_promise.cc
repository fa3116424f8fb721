// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of PCT's bound. Engine side.
#include "search/pct_promise.h"

#include <fmt/core.h>
#include <string.h>

#include <algorithm>
#include <cmath>

namespace raddle::search {

void PctPromise::planned(const facts::Plan& plan) {
  bool relevant = strcmp(plan.header.policy, "pct") == 0 && plan.header.depth == depth_;
  // A batch has no ticket, and is over when there is another plan.
  std::erase_if(pending_, [](const Pending& each) { return each.ticket == 0; });
  pending_.push_back(
      {plan.ticket, relevant, plan.header.expected_steps, plan.header.expected_threads});
}

PctPromise::Pending PctPromise::take(std::uint64_t ticket) {
  auto found = std::find_if(pending_.begin(), pending_.end(),
                            [&](const Pending& each) { return each.ticket == ticket; });
  if (ticket == 0 && !pending_.empty()) found = pending_.end() - 1;
  if (found == pending_.end()) return {};
  Pending taken = *found;
  // One of a batch may be looked at after the batch.
  if (taken.ticket != 0) pending_.erase(found);
  return taken;
}

void PctPromise::observe(const facts::Run& run) {
  Pending plan = take(run.ticket);
  if (plan.relevant && run.fairness_cuts == 0 && run.steps <= plan.steps &&
      run.thread_count <= plan.threads)
    ++runs_;
}

void PctPromise::observe_batch(const wire::Batch& batch, std::uint64_t runs) {
  // If one was too long, nobody knows how many were.
  Pending plan = take(0);
  bool fits = batch.longest <= plan.steps && batch.threads <= plan.threads;
  if (plan.relevant && fits && batch.fairness_cuts <= runs) runs_ += runs - batch.fairness_cuts;
}

std::string PctPromise::sentence(const Learned& learned) const {
  if (learned.runs() > 0 && learned.threads_max() <= 1)
    return "none: the program never had a second thread";
  if (runs_ == 0) return "none: no run so far met the conditions of pct's bound";
  double n = learned.threads_max();
  double k = learned.steps_max();
  double chance = 1.0 / (n * std::pow(k, static_cast<double>(depth_) - 1));
  double missed = std::pow(1.0 - chance, static_cast<double>(runs_));
  return fmt::format(
      "a bug of depth {} shows in one run of pct with probability at least {:.2g} (n = {} threads, "
      "k = {} steps); {} such {} it with probability {}",
      depth_, chance, learned.threads_max(), learned.steps_max(), runs_,
      runs_ == 1 ? "run misses" : "runs miss",
      missed < 1e-300 ? std::string("below 1e-300") : fmt::format("at most {:.2g}", missed));
}

}  // namespace raddle::search
