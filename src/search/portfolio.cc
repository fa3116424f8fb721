// SPDX-License-Identifier: Apache-2.0
//
// The turns of `auto`. Engine side.
#include "search/portfolio.h"

#include <array>

namespace raddle::search {
namespace {

enum class Turn { surw, pct_two, pct_deep, pos };
constexpr std::array kRotation = {Turn::surw, Turn::pct_deep, Turn::surw,
                                  Turn::pos,  Turn::surw,     Turn::pct_two};
// Round-robin comes after so many turns. Sites trickle in for a while in large programs; one
// repetition a rotation is enough.
constexpr std::uint64_t kRoundRobinAfter = 3;

}  // namespace

Portfolio::Portfolio(const PlanOptions& options) : learned_(options, true) {}

std::optional<facts::Plan> Portfolio::next() {
  // The first is there to be learned from.
  if (learned_.runs() == 0 && under_way_ > 0) return std::nullopt;
  facts::Plan plan = choose();
  ++under_way_;
  plan.ticket = ++tickets_;
  promise_.planned(plan);
  return plan;
}

facts::Plan Portfolio::choose() {
  std::uint64_t index = learned_.runs() + under_way_;
  std::uint32_t deep = learned_.options().depth;
  if (index == 0) return learned_.plan("nonpreemptive", deep, index);
  bool new_sites = learned_.sites().size() != round_robin_sites_;
  if (turn_ % kRotation.size() == kRoundRobinAfter && (!round_robin_ran_ || new_sites)) {
    round_robin_ran_ = true;
    round_robin_sites_ = learned_.sites().size();
    return learned_.plan("round-robin", deep, index);
  }
  switch (kRotation[turn_++ % kRotation.size()]) {
    case Turn::surw:
      return learned_.plan("surw", deep, index);
    case Turn::pct_two:
      return learned_.plan("pct", 2, index);
    case Turn::pct_deep:
      return learned_.plan("pct", deep, index);
    case Turn::pos:
      break;
  }
  return learned_.plan("pos", deep, index);
}

std::optional<facts::Batch> Portfolio::next_batch(std::uint64_t max) {
  std::uint64_t index = learned_.runs();
  std::uint64_t count = batches_.next(index, max);
  if (count == 0) return std::nullopt;
  facts::Batch batch;
  batch.plan = choose();
  batch.header.seed = learned_.options().seed;
  batch.header.first = index;
  batch.header.count = count;
  promise_.planned(batch.plan);
  return batch;
}

void Portfolio::observe_batch(const facts::Batch& batch, std::uint64_t runs) {
  learned_.skip(batch.header, runs);
  promise_.observe_batch(batch.header, runs);
}

void Portfolio::observe(const facts::Run& run) {
  learned_.observe(run);
  promise_.observe(run);
  if (under_way_ > 0) --under_way_;  // one of a batch was not
}

std::string Portfolio::guarantee() const { return promise_.sentence(learned_); }

}  // namespace raddle::search
