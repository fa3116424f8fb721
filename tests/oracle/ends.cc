// SPDX-License-Identifier: Apache-2.0
//
// Depth first over all steps, each state once; a second time, if need be, where every circle is an
// end. Tests only.
#include "oracle/ends.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "oracle/state_hash.h"

namespace raddle::oracle {
namespace {

class Walk {
 public:
  Walk(const Program& program, std::size_t states_max, bool circles_end)
      : machine_(program),
        threads_(program.threads.size()),
        states_max_(states_max),
        circles_end_(circles_end) {}

  void all() { census_.executions = executions_from(machine_.first()); }

  EndsCensus census_;

 private:
  std::uint64_t executions_from(const State& state) {
    if (auto known = seen_.find(state); known != seen_.end()) return known->second;
    if (seen_.size() >= states_max_) census_.cut = true;
    if (census_.cut) return 0;
    seen_.emplace(state, 0);
    census_.records.insert(crc32(machine_.record(state)));
    const std::vector<Step> steps = machine_.steps(state);
    const bool circle = machine_.has_circle(state);
    if (circle && (!steps.empty() || state.ender != 0)) census_.early = true;
    std::uint64_t sum = 0;
    if (steps.empty() || (circle && circles_end_)) {
      sum = 1;
      end(state, circle && circles_end_);
    } else {
      for (const Step& step : steps) {
        races_.clear();
        const State next = machine_.after(state, step, races_);
        census_.possible.races.insert(races_.begin(), races_.end());
        sum += executions_from(next);
      }
    }
    seen_[state] = sum;
    census_.states = seen_.size();
    return sum;
  }

  void end(const State& state, bool circle) {
    Ends& ends = census_.possible;
    const std::string where = " " + std::to_string(site(state.failed_body, state.failed_op));
    if (state.failure == Failure::use_after_free) {
      ends.failures.insert("use-after-free" + where);
    } else if (state.failure == Failure::double_free) {
      ends.failures.insert("double-free" + where);
    } else if (circle || !has_ended(state)) {
      ends.failures.insert("deadlock");
      if (state.ender != 0 && !circle) census_.stuck = true;
    } else {
      ends.finals.insert(machine_.record(state));
    }
  }

  bool has_ended(const State& state) const {
    if (state.ender != 0) return state.threads[state.ender - 1].status == Status::ending;
    for (unsigned t = 0; t < threads_; ++t) {
      if (machine_.is_blocked(state, t)) return false;
    }
    return true;
  }

  Machine machine_;
  std::size_t threads_;
  std::size_t states_max_;
  bool circles_end_;
  std::unordered_map<State, std::uint64_t, StateHash> seen_;
  std::vector<Race> races_;
};

template <class Value>
std::set<Value> both(const std::set<Value>& one, const std::set<Value>& other) {
  std::set<Value> all;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::inserter(all, all.end()));
  return all;
}

}  // namespace

EndsCensus find_ends(const Program& program, std::size_t states_max) {
  Walk walk(program, states_max, false);
  walk.all();
  EndsCensus census = std::move(walk.census_);
  census.certain = census.possible;
  if (!census.early || census.cut) return census;
  Walk shorter(program, states_max, true);
  shorter.all();
  const Ends& other = shorter.census_.possible;
  census.certain = {both(census.possible.finals, other.finals),
                    both(census.possible.failures, other.failures),
                    both(census.possible.races, other.races)};
  census.possible.failures.insert(other.failures.begin(), other.failures.end());
  return census;
}

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (unsigned char byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

}  // namespace raddle::oracle
