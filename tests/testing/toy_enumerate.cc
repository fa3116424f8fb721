// SPDX-License-Identifier: Apache-2.0
//
// Brute force over all choices. Tests only.
#include "testing/toy_enumerate.h"

#include "base/rng.h"
#include "model/dependence.h"

namespace raddle::toy {
namespace {

// Follows a path through the tree of choices, takes the first branch below its end, and moves on to
// the next path.
class Tree final : public policy::Policy {
 public:
  void begin(const policy::PlanView&) override { depth_ = 0; }
  ThreadId pick(const policy::Choice& choice) override {
    return choice.enabled.nth(branch(choice.enabled.size()));
  }
  std::uint32_t value(std::uint32_t bound, StepIndex) override { return branch(bound); }

  // False after the last path.
  bool advance() {
    while (!path_.empty() && ++path_.back().taken == path_.back().count) path_.pop_back();
    return !path_.empty();
  }

 private:
  struct Node {
    std::uint32_t taken;
    std::uint32_t count;
  };

  std::uint32_t branch(std::uint32_t count) {
    if (depth_ == path_.size()) path_.push_back({0, count});
    RADDLE_CHECK(path_[depth_].count == count);
    return path_[depth_++].taken;
  }

  std::vector<Node> path_;
  std::size_t depth_ = 0;
};

}  // namespace

bool for_each_run(const Program& program, const Conditions& conditions, std::uint64_t runs_max,
                  const std::function<void(const Outcome&)>& visit) {
  Tree tree;
  std::uint64_t runs = 0;
  do {
    if (runs++ == runs_max) return false;
    visit(toy::run(program, tree, conditions));
  } while (tree.advance());
  return true;
}

Census enumerate(const Program& program, const Conditions& conditions, std::uint64_t runs_max) {
  Census census;
  census.cut = !for_each_run(program, conditions, runs_max, [&](const Outcome& run) {
    switch (run.end) {
      case End::complete:
        ++census.complete;
        census.states.insert(state(run));
        census.classes.insert(happens_before(program, run));
        break;
      case End::deadlock:
        ++census.deadlocks;
        census.deadlock_classes.insert(happens_before(program, run));
        break;
      case End::assertion:
        ++census.assertions;
        break;
      case End::limit:
      case End::stopped:
      case End::blocked:
        ++census.limited;
    }
  });
  return census;
}

std::string happens_before(const Program& program, const Outcome& run) {
  // A step is named by its body and its number among the steps of that body.
  std::vector<std::string> names;
  std::vector<unsigned> counts(program.bodies.size());
  for (const Step& step : run.steps)
    names.push_back(program.bodies[step.body].name + '.' + std::to_string(counts[step.body]++));
  std::set<std::string> pairs;
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    for (std::size_t j = i + 1; j < run.steps.size(); ++j)
      if (run.steps[i].thread != run.steps[j].thread &&
          model::dependent(run.steps[i].what, run.steps[j].what))
        pairs.insert(names[i] + '<' + names[j]);
  // Values that were chosen are part of what happened.
  for (const wire::ChoiceRecord& choice : run.choices)
    if (choice.kind == wire::OpKind::value)
      pairs.insert(names[choice.step - 1] + '=' + std::to_string(choice.picked));
  std::string form;
  for (const std::string& pair : pairs) form += pair + ' ';
  // Which steps there were: runs of one class carry out the same ones.
  for (std::size_t b = 0; b < counts.size(); ++b)
    form += program.bodies[b].name + '=' + std::to_string(counts[b]) + ' ';
  return form;
}

std::uint64_t happens_before_hash(const Program& program, const Outcome& run) {
  std::vector<std::uint64_t> names;
  std::vector<std::uint64_t> counts(program.bodies.size());
  for (const Step& step : run.steps) names.push_back(step.body * 1000 + counts[step.body]++);
  std::uint64_t sum = 0;
  auto add = [&](std::uint64_t sort, std::uint64_t a, std::uint64_t b) {
    sum += mix64(mix64(mix64(sort) + a) + b);
  };
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    for (std::size_t j = i + 1; j < run.steps.size(); ++j)
      if (run.steps[i].thread != run.steps[j].thread &&
          model::dependent(run.steps[i].what, run.steps[j].what))
        add(1, names[i], names[j]);
  for (const wire::ChoiceRecord& choice : run.choices)
    if (choice.kind == wire::OpKind::value) add(2, names[choice.step - 1], choice.picked);
  for (std::size_t b = 0; b < counts.size(); ++b) add(3, b, counts[b]);
  return sum;
}

}  // namespace raddle::toy
