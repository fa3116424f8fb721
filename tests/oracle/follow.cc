// SPDX-License-Identifier: Apache-2.0
//
// Following an execution step by step. Tests only.
#include "oracle/follow.h"

namespace raddle::oracle {

bool can_follow(const Program& program) {
  for (const auto& ops : program.threads) {
    for (const Op& op : ops) {
      if (op.what == Do::wait || op.what == Do::timed_wait || op.what == Do::barrier) return false;
    }
  }
  return true;
}

Followed follow(const Program& program, const std::vector<unsigned>& sites) {
  const Machine machine(program);
  Followed result;
  std::vector<Race> races;
  State state = machine.first();
  for (unsigned here : sites) {
    const unsigned thread = here / 100;
    const std::string where = std::to_string(here);
    const bool runs = thread < program.threads.size() &&
                      state.threads[thread].status == Status::ready &&
                      machine.next_site(state, thread) == here;
    if (!runs) {
      result.problem = "the thread is not at " + where;
      return result;
    }
    const std::optional<Step> step = machine.only_step(state, thread);
    if (!step) {
      result.problem = where + " is not possible there";
      return result;
    }
    state = machine.after(state, *step, races);
  }
  result.outcome = machine.outcome(state);
  result.races.insert(races.begin(), races.end());
  return result;
}

}  // namespace raddle::oracle
