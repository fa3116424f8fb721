// SPDX-License-Identifier: Apache-2.0
//
// Toy programs as the programs of a search: their outcomes as runs with events, as the runtime
// would record them. Tests only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "search/search.h"
#include "testing/fake_executor.h"
#include "testing/toy_run.h"

namespace raddle::search {

// What the events of a run would be.
std::vector<wire::Event> toy_events(const toy::Program& program, const toy::Outcome& outcome);

// A toy program under the fairness filter, for FakeExecutor.
class ToyTarget {
 public:
  explicit ToyTarget(std::string_view text);
  ToyRun operator()(const facts::Plan& plan, std::uint64_t number);

  const toy::Program& program() const { return runner_->program_of(); }
  const toy::Outcome& last() const { return *last_; }

 private:
  std::shared_ptr<toy::Runner> runner_;
  std::shared_ptr<policy::Filter> fairness_;
  std::shared_ptr<toy::Outcome> last_;
};

// Makes the runs that the search asks for; visit(outcome) sees each after the search. Returns
// whether the search came to its end within so many runs.
bool for_each_run(Search& search, ToyTarget& target, std::uint64_t runs_max,
                  const std::function<void(const toy::Outcome&)>& visit);

// "A: assert x 0": the step that failed, of a run that ended so.
std::string failed_step(const toy::Program& program, const toy::Outcome& outcome);

// What all runs of a search came to.
struct ToyFindings {
  std::uint64_t runs = 0;  // complete or ended by a failure
  std::uint64_t blocked = 0;
  std::set<std::string> states;          // final values of complete runs
  std::multiset<std::string> classes;    // happens-before classes of complete runs
  std::multiset<std::string> deadlocks;  // the same of those that deadlocked
  std::set<std::string> assertions;      // which step failed
  bool finished = false;                 // the search came to its end within the limit
};
ToyFindings explore(Search& search, std::string_view program, std::uint64_t runs_max = 200000);

}  // namespace raddle::search
