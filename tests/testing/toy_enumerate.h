// SPDX-License-Identifier: Apache-2.0
//
// All runs of a toy program by brute force: the oracle against which counts derived by hand, and
// searches, are held. Tests only.
#pragma once

#include <functional>
#include <set>

#include "testing/toy_run.h"

namespace raddle::toy {

struct Census {
  // Runs, by their end.
  std::uint64_t complete = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t assertions = 0;
  std::uint64_t limited = 0;
  // Of complete runs: values of the variables, and happens-before classes (runs that differ only in
  // the order of independent steps are of one class).
  std::set<std::string> states;
  std::set<std::string> classes;
  std::set<std::string> deadlock_classes;
  bool cut = false;  // there were more than the allowed number of runs

  std::uint64_t runs() const { return complete + deadlocks + assertions + limited; }
};

// Depth first over all choices, values included: calls visit(run) for each. Filters and max_steps
// come from the conditions. False if there are more runs.
bool for_each_run(const Program& program, const Conditions& conditions, std::uint64_t runs_max,
                  const std::function<void(const Outcome&)>& visit);

// All of these runs counted.
Census enumerate(const Program& program, const Conditions& conditions = {},
                 std::uint64_t runs_max = 1000000);
inline Census enumerate(std::string_view text) { return enumerate(program(text)); }

// The happens-before class of a run in a canonical form: the order of all pairs of dependent steps.
std::string happens_before(const Program& program, const Outcome& run);
// The same as a number, for many runs: a sum over these pairs, so that it needs no order.
std::uint64_t happens_before_hash(const Program& program, const Outcome& run);

}  // namespace raddle::toy
