// SPDX-License-Identifier: Apache-2.0
//
// See passing_time.h.
#include "runtime/passing_time.h"

#include "runtime/controller.h"
#include "runtime/deadlock.h"
#include "runtime/enabled.h"
#include "runtime/outside.h"
#include "runtime/signal_queue.h"
#include "runtime/spin.h"
#include "runtime/timers.h"

namespace raddle::runtime {
namespace {

// Whether nothing that threads could still see would let one of them leave its loop.
bool everybody_waits_in_vain() {
  bool all = true;
  g.enabled.for_each([&](ThreadId id) { all = all && waits_in_vain(g.fibers[id]); });
  return all;
}

// Whether all threads but the first are OpenMP's, which keep for the next team.
bool only_idle_workers_left() {
  for (ThreadId id = 1; id < g.thread_count; ++id)
    if (g.fibers[id].state == FiberState::alive && g.views[id].op.kind != OpKind::team_idle)
      return false;
  return true;
}

}  // namespace

void let_time_pass() {
  while (g.enabled.empty()) {
    if (g.cares.outside_signals != 0) take_outside_signals();
    if (!g.enabled.empty()) break;
    Fiber* sleeper = g.cares.timers > 0 ? earliest_timer() : nullptr;
    if (g.cares.io_waiting > 0 && wait_outside(sleeper)) continue;
    if (await_children(sleeper)) continue;
    if (sleeper == nullptr && g.awaits_all && only_idle_workers_left()) {
      notify(g.fibers[0]);
      break;
    }
    if (sleeper == nullptr) report_global_deadlock();
    fire_timer(*sleeper);
  }
  if (g.cares.timers > 0) fire_due_timers();
  // Spinning threads wait for something: if only time can bring it, let time pass.
  if (__builtin_expect(g.cares.yielding > 0, 0) && everybody_waits_in_vain()) {
    Fiber* sleeper = g.cares.timers > 0 ? earliest_timer() : nullptr;
    if (g.cares.io_waiting > 0 && pause_for_outside(sleeper)) return;
    if (pause_for_children(sleeper)) return;
    if (sleeper != nullptr)
      fire_timer(*sleeper);
    else if (g.clock_polled)
      advance_polled_clock();
  }
}

bool early_wakers_possible() {
  return (g.cares.timers > 0 && g.shared->plan.timers == wire::Timers::any) ||
         (g.cares.spurious_left > 0 && g.cond_waiters > 0);
}

namespace {

// Whoever waits again and again and is always woken early must not keep those from running that
// could end that.
bool has_had_its_turn(const Fiber& sleeper) {
  if (sleeper.woken_early_at == 0) return false;
  bool somebody_waits = false;
  g.enabled.for_each([&](ThreadId id) {
    const model::ThreadView& view = g.views[id];
    somebody_waits |=
        view.enabled_since < sleeper.woken_early_at && view.last_run < sleeper.woken_early_at;
  });
  return somebody_waits;
}

}  // namespace

void offer_early_wakers(ThreadSet& candidates) {
  if (g.cares.timers > 0 && g.shared->plan.timers == wire::Timers::any) {
    // Null when all of them have fired or been notified already.
    Fiber* earliest = earliest_timer();
    if (earliest != nullptr && can_time_out(*earliest)) {
      if (has_had_its_turn(*earliest))
        ++g.shared->fairness_cuts;
      else
        candidates.add(earliest->id);
    }
  }
  if (g.cares.spurious_left > 0 && g.cond_waiters > 0)
    for (ThreadId id = 0; id < g.thread_count; ++id) {
      const Fiber& fiber = g.fibers[id];
      if (fiber.on_cond && is_cond_wait(fiber) && grants_pending(fiber)) candidates.add(id);
    }
}

void wake_early(Fiber& fiber) {
  if (fiber.deadline_ns != 0 && &fiber == earliest_timer() &&
      g.shared->plan.timers == wire::Timers::any) {
    fiber.woken_early_at = g.step;
    fire_timer(fiber);
  } else {
    --g.cares.spurious_left;
    notify(fiber);
  }
}

}  // namespace raddle::runtime
