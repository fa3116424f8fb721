// SPDX-License-Identifier: Apache-2.0
//
// Depth first over all steps. A state holds all that the rest of an execution depends on, clocks
// included, and every step leads forward, so executions from a state are counted once and
// remembered. Tests only.
#include "oracle/explore.h"

#include <unordered_map>

#include "oracle/state_hash.h"

namespace raddle::oracle {
namespace {

class Explorer {
 public:
  Explorer(const Program& program, std::size_t states_max)
      : machine_(program), states_max_(states_max) {}

  Census all() {
    census_.executions = executions_from(machine_.first());
    census_.states = seen_.size();
    census_.races.insert(races_.begin(), races_.end());
    return std::move(census_);
  }

 private:
  std::uint64_t executions_from(const State& state) {
    if (auto known = seen_.find(state); known != seen_.end()) return known->second;
    if (seen_.size() >= states_max_) census_.cut = true;
    if (census_.cut) return 0;
    seen_.emplace(state, 0);
    const std::vector<Step> steps = machine_.steps(state);
    std::uint64_t sum = steps.empty() ? 1 : 0;
    if (steps.empty()) census_.outcomes.insert(machine_.outcome(state));
    for (const Step& step : steps) {
      races_.clear();
      const State next = machine_.after(state, step, races_);
      census_.races.insert(races_.begin(), races_.end());
      sum += executions_from(next);
    }
    seen_[state] = sum;
    return sum;
  }

  Machine machine_;
  std::size_t states_max_;
  std::unordered_map<State, std::uint64_t, StateHash> seen_;
  std::vector<Race> races_;
  Census census_;
};

}  // namespace

Census explore(const Program& program, std::size_t states_max) {
  return Explorer(program, states_max).all();
}

}  // namespace raddle::oracle
