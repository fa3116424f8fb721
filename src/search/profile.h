// SPDX-License-Identifier: Apache-2.0
//
// Profile: how many events each thread makes, in all and on each shared variable, counted in
// earlier runs of the campaign; and from it the plans of urw and surw (policy/urw.h, policy/surw.h:
// Zhao and others, ASPLOS 2025). Engine side.
//
// A variable is a location that at least two threads access, one of them writing, or a
// synchronisation object that two threads use. A variable that is accessed under locks only is left
// out, because the order of its accesses is that of the acquisitions, and the lock is a variable
// too; one that is accessed under locks sometimes counts with all its accesses.
//
// The counts are those of the latest run that came to its end. Counting variables costs more than
// counting steps, so it is done in the first runs, when new points appear, and at last whenever the
// number of runs has doubled.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "facts/run.h"

namespace raddle::search {

class Profile {
 public:
  // `sites_grew`: accesses in this run that were no points will be points in the next.
  void observe(const facts::Run& run, bool sites_grew);

  // Puts the steps of each thread into the plan.
  void weigh_steps(facts::Plan& plan) const { plan.weights = steps_; }

  // Draws `size` variables by the plan's seed and puts them and their events into the plan. All
  // steps if size is 0, or if no variable is known.
  void weigh_variables(facts::Plan& plan, unsigned size) const;

  std::size_t variables() const { return variables_.size(); }

 private:
  struct Count {
    ThreadId thread;
    std::uint32_t events;
  };
  struct Variable {
    wire::Location where;
    std::vector<Count> counts;
  };
  using Weights = std::vector<wire::ThreadWeight>;

  void count_steps(const facts::Run& run, bool sites_grew);
  void count_variables(const facts::Run& run, bool sites_grew);

  std::uint64_t runs_ = 0;
  std::uint64_t next_count_ = 0;  // the run in which variables are counted next
  std::vector<ThreadId> creators_;
  std::shared_ptr<const Weights> steps_;  // null until a run has ended
  std::vector<Variable> variables_;       // in the order of their first access
};

}  // namespace raddle::search
