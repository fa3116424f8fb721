// SPDX-License-Identifier: Apache-2.0
//
// Sampling one policy. Engine side.
#include "search/sampling.h"

#include <fmt/core.h>

#include "facts/event_hash.h"

namespace raddle::search {
namespace {

constexpr const char* kLearningPolicy = "nonpreemptive";

}  // namespace

Sampling::Sampling(std::string policy, const PlanOptions& options)
    : policy_(std::move(policy)),
      random_(policy_ != "round-robin" && policy_ != "nonpreemptive"),
      learned_(options, policy_ == "urw" || policy_ == "surw"),
      promise_(options.depth) {}

std::optional<facts::Plan> Sampling::next() {
  if (exhausted_) return std::nullopt;
  // The first is there to be learned from.
  if (learned_.runs() == 0 && under_way_ > 0) return std::nullopt;
  std::uint64_t index = learned_.runs() + under_way_++;
  facts::Plan plan =
      learned_.plan(index == 0 ? kLearningPolicy : policy_, learned_.options().depth, index);
  plan.ticket = ++tickets_;
  promise_.planned(plan);
  return plan;
}

void Sampling::observe(const facts::Run& run) {
  learned_.observe(run);
  promise_.observe(run);
  if (under_way_ > 0) --under_way_;  // one of a batch was not
  if (random_) return;
  std::uint64_t hash = facts::event_hash(run.events);
  // Another seed reaches the program through random numbers only. Two equal runs say that it asks
  // for none (the first run may have been of another policy, so it does not count).
  exhausted_ = learned_.runs() > 2 && hash == last_hash_ && !learned_.sites_grew();
  last_hash_ = hash;
}

std::optional<facts::Batch> Sampling::next_batch(std::uint64_t max) {
  if (exhausted_ || !random_) return std::nullopt;
  std::uint64_t index = learned_.runs();
  std::uint64_t count = batches_.next(index, max);
  if (count == 0) return std::nullopt;
  facts::Batch batch;
  batch.plan = learned_.plan(policy_, learned_.options().depth, index);
  batch.header.seed = learned_.options().seed;
  batch.header.first = index;
  batch.header.count = count;
  promise_.planned(batch.plan);
  return batch;
}

void Sampling::observe_batch(const facts::Batch& batch, std::uint64_t runs) {
  learned_.skip(batch.header, runs);
  promise_.observe_batch(batch.header, runs);
}

std::string Sampling::guarantee() const {
  if (policy_ == "pct") return promise_.sentence(learned_);
  if (exhausted_)
    return fmt::format("the only schedule of {} was run; other schedules were not", policy_);
  if (policy_ == "pos")
    return "every interleaving has a positive chance in every run; no bound is known for this "
           "program";
  if (policy_ == "urw" || policy_ == "surw")
    return "every interleaving has a positive chance in every run, an equal one where nothing "
           "blocks and runs are of one length; no bound is known for this program";
  return "none: schedules were drawn, not enumerated";
}

}  // namespace raddle::search
