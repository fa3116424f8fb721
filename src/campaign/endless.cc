// SPDX-License-Identifier: Apache-2.0
//
// See endless.h. Engine side.
#include "campaign/endless.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "analysis/livelock.h"
#include "base/check.h"
#include "campaign/recording.h"

namespace raddle::campaign {
namespace {

using wire::VerdictKind;
using Op = std::tuple<ThreadId, wire::OpKind, SiteId>;

Op op_of(const wire::Event& event) { return {event.thread, event.kind, event.site}; }

std::set<Op> ops_of(const analysis::LivelockCycle& cycle) {
  std::set<Op> ops;
  for (const analysis::LivelockCycle::Turn& turn : cycle.turns)
    for (const wire::Event& event : turn.events) ops.insert(op_of(event));
  return ops;
}

// Follows the run up to the step, then goes on at random.
facts::Plan continuation(const facts::Plan& plan, const facts::Run& run, StepIndex from) {
  facts::Plan result = plan;
  std::memset(result.header.policy, 0, sizeof result.header.policy);
  std::strncpy(result.header.policy, "random", sizeof result.header.policy - 1);
  facts::Choices prefix;
  for (const wire::ChoiceRecord& choice : run.choices)
    if (choice.step < from) prefix.rows.push_back(choice);
  result.steering = std::move(prefix);
  result.weights = nullptr;
  result.interest = {};
  result.header.max_steps = std::min(from + kContinuedSteps, plan.header.max_steps);
  result.header.stacks = 0;
  result.header.systematic = 0;
  return result;
}

bool leaves(const facts::Run& run, StepIndex from, const std::set<Op>& circles) {
  if (run.verdict.kind != VerdictKind::limit) return true;
  return std::ranges::any_of(run.events, [&](const wire::Event& event) {
    bool counts = event.kind < wire::OpKind::count &&
                  wire::op_class(event.kind) != wire::OpClass::mark && event.step >= from;
    return counts && !circles.contains(op_of(event));
  });
}

// Runs in place have no events.
Result<facts::Run> make(launch::Executor& executor, const facts::Plan& plan) {
  bool in_place = dynamic_cast<launch::InPlace*>(&executor) != nullptr;
  return in_place ? executor.repeat(plan) : executor.run(plan);
}

}  // namespace

Result<Circles> try_to_leave(launch::Executor& executor, const facts::Plan& plan,
                             const facts::Run& run) {
  auto cycle = analysis::find_livelock(run.events, run.threads);
  RADDLE_CHECK(cycle.has_value());
  std::set<Op> circles = ops_of(*cycle);
  facts::Plan next = continuation(plan, run, cycle->since);
  bool left = false;
  for (unsigned i = 0; i < kContinuations && !left; ++i) {
    next.header.seed = i + 1;
    auto continued = make(executor, next);
    if (!continued) return continued.error();
    left = leaves(*continued, cycle->since, circles);
  }
  facts::Plan again = strict_plan(plan, run.choices);
  again.header.stacks = 0;
  again.header.recurrence_from = std::max(cycle->since, run.steps / 2);
  auto repeated = executor.repeat(again);
  if (!repeated) return repeated.error();
  if (repeated->verdict.kind != VerdictKind::limit || !repeated->recurred) return Circles::unproved;
  return left ? Circles::in_step : Circles::endless;
}

}  // namespace raddle::campaign
