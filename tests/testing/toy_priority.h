// SPDX-License-Identifier: Apache-2.0
//
// What priority functions are given, made from toy programs: the run of a program, and what could
// have been done instead at its choices. Tests only.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "search/priority_list.h"
#include "search/tree_search.h"
#include "testing/toy_search.h"

namespace raddle::search {

// The run that a program makes by default, but for the deltas (choice, thread).
class ToyExecution {
 public:
  explicit ToyExecution(std::string_view text, const std::vector<Delta>& deltas = {})
      : target_(text) {
    TreeSearch search(toy_options(), {});
    facts::Plan plan = *search.next();
    facts::Deviations deviations;
    for (const Delta& delta : deltas) {
      wire::OpKind kind = delta.is_value ? wire::OpKind::value : wire::OpKind::none;
      deviations.rows.push_back({{delta.choice, delta.pick, kind, delta.candidates}, 0});
    }
    plan.steering = deviations;
    made_ = target_(plan, 0);
    facts::Run run;
    run.events = made_.events;
    run.choices = made_.choices;
    run.sets = made_.sets;
    run.thread_count = made_.thread_count;
    execution_.read(run);
  }
  ToyExecution(const ToyExecution&) = delete;

  std::string trace() const { return toy::trace(target_.program(), target_.last()); }
  const toy::Program& program() const { return target_.program(); }

  // Picking something else at a choice.
  Alternative at(std::uint32_t choice, std::uint16_t pick, Focus* focus = nullptr) const {
    return {.execution = execution_,
            .choice = choice,
            .pick = pick,
            .is_value = execution_.is_value(choice),
            .by_dpor = false,
            .conservative = false,
            .asleep = false,
            .random = 0,
            .focus = focus};
  }

 private:
  ToyTarget target_;
  ToyRun made_;
  Execution execution_;
};

// Points at operations of toy programs: by the places in their text, and by their variables.
class ToyFocus : public Focus {
 public:
  // The operation `op` of the thread `body`, both counted from 0.
  void add_operation(unsigned body, unsigned op) { sites_.insert(body * 1000 + op + 1); }
  void add_variable(const toy::Program& program, const char* name) {
    places_.insert(toy::location_of(program, name).key());
  }

  bool has_methods() const override { return !sites_.empty(); }
  bool in_method(SiteId site) override { return sites_.contains(site); }
  bool on_variable(const model::PendingOp& op) override { return places_.contains(op.address); }

 private:
  std::set<SiteId> sites_;
  std::set<std::uint64_t> places_;
};

// The runs of a search, in their order.
struct ToyTraces {
  std::vector<std::string> steps;          // "A: w x; B: r x"
  std::vector<std::string> threads;        // "AB"
  std::vector<std::uint32_t> preemptions;  // of each
};

inline ToyTraces traces_of(Search& search, std::string_view text, std::size_t runs_max = 10000) {
  ToyTarget target(text);
  FakeExecutor executor(target);
  ToyTraces made;
  while (made.steps.size() < runs_max) {
    auto plan = search.next();
    if (!plan) break;
    search.observe(*executor.run(*plan));
    made.steps.push_back(toy::trace(target.program(), target.last()));
    made.preemptions.push_back(target.last().preemptions);
    std::string& threads = made.threads.emplace_back();
    for (const toy::Step& step : target.last().steps)
      threads += target.program().bodies[step.body].name;
  }
  return made;
}

// Best-first search of all interleavings with at most two preemptions, in the order of the list.
inline TreeSearch bounded_by(const char* list, Focus* focus = nullptr, std::uint32_t bound = 2) {
  PlanOptions options = toy_options();
  options.focus = focus;
  return {options, TreeOptions{.bound_kind = BoundKind::preemptions,
                               .bound = bound,
                               .priority = *Priority::parse(list)}};
}

}  // namespace raddle::search
