// SPDX-License-Identifier: Apache-2.0
//
// Jobs: several runs at a time (--jobs), each in a process of its own, all for one search. Engine
// side. The engine itself stays one thread: it looks at one run while the others last. So a finding
// is repeated and kept as always, by the executor that has shown it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "campaign/course.h"

namespace raddle::campaign {

class Jobs {
 public:
  Jobs(Course& course, Trials& first, std::span<Trials* const> others);

  // No: one run after the other.
  bool several() const { return jobs_.size() > 1; }

  // Begins runs wherever none is under way, as far as the search has plans and the limits allow.
  void start();

  // The run that ends first, whose trials are course.trials from now on; nothing if none is under
  // way.
  struct Ended {
    facts::Plan plan;
    Result<Trial> trial;
  };
  std::optional<Ended> finish();

 private:
  struct Job {
    Trials* trials;
    std::optional<facts::Plan> plan = {};  // under way
    std::uint64_t begun = 0;               // in which order
  };

  Course& course_;
  std::vector<Job> jobs_;
  std::uint64_t begun_ = 0;
};

}  // namespace raddle::campaign
