// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of PCT's bound. Engine side.
#include "search/pct_promise.h"

#include <fmt/core.h>
#include <string.h>

#include <cmath>

namespace raddle::search {

void PctPromise::planned(const facts::Plan& plan) {
  relevant_ = strcmp(plan.header.policy, "pct") == 0 && plan.header.depth == depth_;
  steps_ = plan.header.expected_steps;
  threads_ = plan.header.expected_threads;
}

void PctPromise::observe(const facts::Run& run) {
  if (relevant_ && run.fairness_cuts == 0 && run.steps <= steps_ && run.thread_count <= threads_)
    ++runs_;
}

void PctPromise::observe_batch(const wire::Batch& batch, std::uint64_t runs) {
  // If one was too long, nobody knows how many were.
  bool fits = batch.longest <= steps_ && batch.threads <= threads_;
  if (relevant_ && fits && batch.fairness_cuts <= runs) runs_ += runs - batch.fairness_cuts;
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
