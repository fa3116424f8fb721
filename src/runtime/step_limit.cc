// SPDX-License-Identifier: Apache-2.0
//
// See step_limit.h.
#include "runtime/step_limit.h"

#include "runtime/recurrence.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

StepIndex next_look;  // for threads that starve

bool starves(const model::ThreadView& view) {
  StepIndex since = view.last_run > view.enabled_since ? view.last_run : view.enabled_since;
  return since + kStarvedSteps <= g.step;
}

void give_way_to_starved() {
  bool any = false;
  g.enabled.for_each([&](ThreadId id) { any = any || starves(g.views[id]); });
  if (!any) return;
  g.enabled.for_each([&](ThreadId id) {
    model::ThreadView& view = g.views[id];
    if (starves(view)) return;
    if (!view.yielding) ++g.cares.yielding;
    view.yielding = true;
    view.yielded_at = view.last_run = g.step + 1;
  });
}

StepIndex earlier(StepIndex a, StepIndex b) { return a < b ? a : b; }

}  // namespace

void prepare_step_limit() {
  StepIndex last = g.shared->plan.max_steps;
  next_look = kStarvedSteps;
  g.max_steps = earlier(earlier(last, next_look), prepare_recurrence());
}

bool pass_step_limit() {
  StepIndex last = g.shared->plan.max_steps;
  if (g.step >= last) return false;
  if (g.step >= next_look) {
    give_way_to_starved();
    next_look = g.step + kStarvedSteps;
  }
  g.max_steps = earlier(earlier(last, next_look), watch_recurrence());
  return true;
}

}  // namespace raddle::runtime
