// SPDX-License-Identifier: Apache-2.0
//
// The turns of `auto`. Engine side.
#include "search/portfolio.h"

#include <array>

namespace raddle::search {
namespace {

enum class Turn { random, pct_two, pct_deep, pos };
constexpr std::array kRotation = {Turn::random, Turn::pct_two,  Turn::pos,
                                  Turn::random, Turn::pct_deep, Turn::pos};
constexpr std::uint64_t kLearningRuns = 2;
// Sites trickle in for a while in large programs; one repetition a rotation is enough.
constexpr std::uint64_t kRoundRobinEvery = kRotation.size();

}  // namespace

Portfolio::Portfolio(const PlanOptions& options) : learned_(options) {}

std::optional<facts::Plan> Portfolio::next() {
  facts::Plan plan = choose();
  promise_.planned(plan);
  return plan;
}

facts::Plan Portfolio::choose() {
  std::uint64_t index = learned_.runs();
  std::uint32_t deep = learned_.options().depth;
  if (index < kLearningRuns) return learned_.plan("nonpreemptive", deep, index);
  bool new_sites = learned_.sites().size() != round_robin_sites_;
  if (!round_robin_ran_ || (new_sites && turn_ % kRoundRobinEvery == 0)) {
    round_robin_ran_ = true;
    round_robin_sites_ = learned_.sites().size();
    return learned_.plan("round-robin", deep, index);
  }
  switch (kRotation[turn_++ % kRotation.size()]) {
    case Turn::random:
      return learned_.plan("random", deep, index);
    case Turn::pct_two:
      return learned_.plan("pct", 2, index);
    case Turn::pct_deep:
      return learned_.plan("pct", deep, index);
    case Turn::pos:
      break;
  }
  return learned_.plan("pos", deep, index);
}

void Portfolio::observe(const facts::Run& run) {
  learned_.observe(run);
  promise_.observe(run);
}

std::string Portfolio::guarantee() const { return promise_.sentence(learned_); }

}  // namespace raddle::search
