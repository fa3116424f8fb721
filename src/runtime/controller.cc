// SPDX-License-Identifier: Apache-2.0
//
// Scheduling inside a run. Target side. See controller.h for the contract.
#include "runtime/controller.h"

#include "base/check.h"
#include "runtime/cancel.h"
#include "runtime/checkpoint.h"
#include "runtime/deadlock.h"
#include "runtime/emit.h"
#include "runtime/enabled.h"
#include "runtime/events.h"
#include "runtime/fatal.h"
#include "runtime/order.h"
#include "runtime/outside.h"
#include "runtime/passing_time.h"
#include "runtime/process_end.h"
#include "runtime/signal_queue.h"
#include "runtime/spin.h"
#include "runtime/start.h"
#include "runtime/step_limit.h"
#include "runtime/suspended.h"
#include "runtime/switch.h"
#include "runtime/timers.h"

namespace raddle::runtime {

void leave_path() {
  if (g.policy->blocked()) end_run({.kind = wire::VerdictKind::blocked});
  std::uint32_t choice = g.record.choices;
  const char* reason = divergence_reason(&choice);
  g.shared->verdict.diverged_choice = choice;
  end_run({.kind = wire::VerdictKind::divergence, .message = reason});
}

namespace {

void record_choice(std::uint16_t picked, OpKind kind, unsigned enabled) {
  std::uint32_t index = g.record.choices;
  if (__builtin_expect(index == g.record.schedule_limit, 0)) extend_schedule();
  g.record.schedule[index] = {g.step, picked, kind,
                              static_cast<std::uint8_t>(enabled < 255 ? enabled : 255)};
  g.shared->choices = g.record.choices = index + 1;
}

// Requires: the choice has not been recorded yet, and its outcome is not known to the policy.
void record_sets(const ThreadSet* candidates) {
  std::uint32_t index = g.record.choices;
  if (__builtin_expect(index == g.record.schedule_limit, 0)) extend_schedule();
  std::uint64_t enabled = 0;
  if (candidates != nullptr) enabled = candidates->first_word();
  g.shared->too_many_threads |= g.thread_count > wire::kSearchedThreads ? 1u : 0u;
  g.record.sets[index] = {enabled,
                          g.policy->asleep(),
                          g.shared->preemptions,
                          g.last_thread,
                          static_cast<std::uint8_t>(g.views[g.last_thread].yielding ? 1 : 0),
                          0};
}

// Requires: there are at least two candidates.
inline ThreadId ask_policy(const ThreadSet& candidates) {
  if (__builtin_expect(g.checkpoints, 0)) checkpoint_before_choice();
  policy::Choice choice{candidates, g.views, g.thread_count, g.current->id, g.step};
  if (__builtin_expect(g.record.sets != nullptr, 0)) record_sets(&candidates);
  ThreadId picked = g.policy->pick(choice);
  if (__builtin_expect(picked == kNoThread, 0)) leave_path();
  RADDLE_CHECK(candidates.contains(picked));
  g.event_flags |= wire::kEventChoice;
  record_choice(picked, g.views[picked].op.kind, candidates.size());
  return picked;
}

// Nobody but `id` can run. Policies that count have to know, and those that come after a
// checkpoint.
inline ThreadId only(ThreadId id) {
  if (__builtin_expect(g.cares.tell_policy, 0)) {
    note_lone_step();
    if (!g.policy->took({g.enabled, g.views, g.thread_count, g.current->id, g.step}, id))
      leave_path();
  }
  return id;
}

// `count` threads are enabled; with `early` others may wake of themselves.
ThreadId choose_among(unsigned count, bool early) {
  const ThreadSet* candidates = &g.enabled;
  if ((g.cares.yielding | g.cares.filtered) > 0) {
    policy::Choice all{g.enabled, g.views, g.thread_count, g.current->id, g.step};
    g.allowed = g.enabled;
    std::uint32_t cut = g.filters.narrow(all, g.allowed);
    if ((cut & g.filter_storage.fairness_bit) != 0) ++g.shared->fairness_cuts;
    count = g.allowed.size();
    candidates = &g.allowed;
  }
  // After the filters: nobody has to wait for what only may happen.
  if (early) {
    if (candidates == &g.enabled) g.allowed = g.enabled;
    offer_early_wakers(g.allowed);
    candidates = &g.allowed;
    count = g.allowed.size();
  }
  return count == 1 ? only(candidates->first()) : ask_policy(*candidates);
}

// Who ends the process, now that nobody else goes on.
Fiber& choose_end() {
  const ThreadSet& candidates = ending_threads();
  Fiber& fiber =
      g.fibers[candidates.size() == 1 ? only(candidates.first()) : ask_policy(candidates)];
  notify(fiber);
  return fiber;
}

// Time may pass, spinning threads have to wait, or threads may wake of themselves.
Fiber& choose_with_care() {
  for (;;) {
    if (g.cares.io_waiting > 0) look_outside();
    if (g.cares.outside_signals != 0) take_outside_signals();
    if (g.cares.at_events > 0) review_events();
    if (g.cares.ending && only_the_end_is_left()) return choose_end();
    unsigned count = g.enabled.size();
    bool may_wait = (g.cares.timers | g.cares.io_waiting) > 0 || g.clock_polled ||
                    (g.cares.yielding > 0 && children_alive > 0);
    if (count == 0 || may_wait) {
      let_time_pass();
      if (g.cares.at_events > 0) review_events();  // who was blocked may be so no longer
      count = g.enabled.size();
      if (count == 0) continue;
    }
    bool early = early_wakers_possible();
    if (count == 1 && !early) return g.fibers[only(g.enabled.first())];
    Fiber& fiber = g.fibers[choose_among(count, early)];
    if (!early || g.enabled.contains(fiber.id)) return fiber;
    wake_early(fiber);
    if (g.enabled.contains(fiber.id)) return fiber;
  }
}

// Who goes next. Requires: the current thread's pending op is published.
inline Fiber& choose() {
  g.event_flags = wire::kEventStep;
  if (__builtin_expect(g.step >= g.max_steps, 0) && !pass_step_limit())
    end_run({.kind = wire::VerdictKind::limit});
  unsigned count = g.enabled.size();
  if (__builtin_expect(count == 0 || g.cares.any(), 0)) return choose_with_care();
  return g.fibers[count == 1 ? g.enabled.first() : ask_policy(g.enabled)];
}

// The current thread's next op waits for `object`, if for anything.
inline Fiber& publish(SyncObject* object) {
  Fiber& me = *g.current;
  if (publishing()) advance_epoch(me);  // what comes after a step is published anew
  me.object = object;
  me.signalled = me.timed_out = false;
  return me;
}

// The current thread has been chosen: accounts for the step it is about to make.
inline void begin_step() {
  Fiber& me = *g.current;
  model::ThreadView& view = view_of(me);
  if (g.last_thread != me.id) {
    g.event_flags |= wire::kEventSwitched;
    const model::ThreadView& other = g.views[g.last_thread];
    if (g.enabled.contains(g.last_thread) && !other.yielding) ++g.shared->preemptions;
    g.last_thread = me.id;
  }
  ++g.step;
  g.shared->steps = g.step;
  view.last_run = g.step;
  if (view.yielding) {
    if (g.record.sets != nullptr) g.event_flags |= wire::kEventGaveWay;
    view.yielding = false;
    --g.cares.yielding;
  }
}

inline void take_turn(Fiber& me) {
  Fiber& next = choose();
  if (&next != &me) switch_to(next);
}

// The current thread has published its op: waits until it may be carried out, or until somebody
// interrupts it. Whoever has been notified already (me.signalled) waits for the object only.
inline void wait_for_turn(Fiber& me, const Wait& wait) {
  SyncObject* queue = wait.object;
  me.cancellable = wait.cancellation_point;
  if (wait.deadline_ns != 0) start_timer(me, wait.deadline_ns);
  if (wait.notification && !me.timed_out && !me.signalled) {
    me.on_cond = true;
    if (is_cond_wait(me)) ++g.cond_waiters;
    queue = wait.queue;
  }
  if (!can_run(me)) {
    if (queue != nullptr) enqueue(me, *queue);
    set_enabled(me, false);
    if (wait.notification || wait.deadline_ns != 0) {
      begin_era();
      me.clock_reads = 0;
    }
    if (wait.deadline_ns == 0) check_for_cycle(me);
  }
  Fiber& next = choose();
  if (&next != &me) {
    if (me.queued_on == nullptr && me.object != nullptr) enqueue(me, *me.object);
    switch_to(next);
  }
  if (me.queued_on != nullptr) dequeue(me);
  leave_notification(me);
  if (me.deadline_ns != 0) stop_timer(me);
  me.cancellable = false;
}

struct Interlude {
  SuspendedWait wait;  // to be taken up again
  Delivery delivery;
};

// The current thread has been chosen, not for its op but for the signals that came before it.
// Does not return if the thread has been cancelled and may be cancelled anywhere.
Interlude run_interruption(Fiber& me) {
  unsigned index = me.suspended_count - 1u;
  me.suspended[index].frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  me.interrupted = false;
  begin_step();
  Interlude result;
  result.delivery = deliver_signals();
  result.wait = me.suspended[index];
  g.suspended_total -= me.suspended_count - index;
  me.suspended_count = static_cast<std::uint8_t>(index);
  model::ThreadView& view = view_of(me);
  view.op = result.wait.op;
  view.op.serial = ++g.serial;
  me.ticket = result.wait.ticket;
  me.op_object = result.wait.op_object;
  if (me.cancel_async && !is_cond_wait(me) && cancel_due(me))
    end_by_cancel(result.wait.op.site,
                  result.delivery.count == 0 ? StepEvent::missing : StepEvent::made);
  return result;
}

// Runs the handlers, then goes on waiting or gives up. Ends the thread if it has been cancelled.
void resume_wait(Fiber& me, const Wait& wait) {
  bool gives_up = false;
  while (me.interrupted) {
    Interlude interlude = run_interruption(me);
    if (off()) return resume_in_child(wait, interlude.wait, interlude.delivery);
    const SuspendedWait& before = interlude.wait;
    bool takes_lock_back = is_cond_wait(me);
    if (wait.cancellation_point && !takes_lock_back && cancel_due(me))
      end_by_cancel(before.op.site,
                    interlude.delivery.count == 0 ? StepEvent::missing : StepEvent::made);
    gives_up |= gives_up_after(wait, before, interlude.delivery);
    publish(gives_up ? nullptr : wait.object);
    if (gives_up) {
      take_turn(me);
      continue;
    }
    me.signalled = before.signalled;
    if (before.outside != nullptr) resume_outside(me, *before.outside);
    Wait rest = wait;
    if (takes_lock_back && cancel_due(me)) rest.notification = false;
    wait_for_turn(me, rest);
  }
  me.eintr = gives_up;
}

}  // namespace

void refresh(SyncObject& object) {
  for_each_waiter(object, [](Fiber& fiber) { set_enabled(fiber, can_run(fiber)); });
}

void enable(Fiber& fiber) {
  begin_era();
  set_enabled(fiber, true);
}

void set_outside_ready(Fiber& fiber, bool ready) {
  if (fiber.timed_out) return;
  fiber.on_cond = !ready;
  fiber.signalled = ready;
  set_enabled(fiber, ready);
}

void notify(Fiber& fiber) {
  fiber.signalled = true;
  contend(fiber);
}

void expire(Fiber& fiber) {
  fiber.timed_out = true;
  contend(fiber);
}

void begin_first_step() {
  if (running()) begin_step();
}

void mark_yielding(unsigned turns) {
  count_turn(turns);
  model::ThreadView& view = view_of(*g.current);
  if (!view.yielding) ++g.cares.yielding;
  view.yielding = true;
  view.yielded_at = view.last_run = g.step + 1;  // as if the yield had already been made
}

void interrupt(Fiber& fiber) {
  model::ThreadView& view = view_of(fiber);
  if (fiber.interrupted || view.op.kind == OpKind::thread_start) return;
  if (fiber.suspended_count == kSuspendedMax) refuse("signal handlers are nested too deeply");
  fiber.suspended[fiber.suspended_count++] = {.op = view.op,
                                              .op_object = fiber.op_object,
                                              .queue = fiber.queued_on,
                                              .outside = suspend_outside(fiber),
                                              .frame = 0,
                                              .ticket = fiber.ticket,
                                              .awaits = fiber.on_cond,
                                              .signalled = fiber.signalled,
                                              .blocked = !g.enabled.contains(fiber.id)};
  ++g.suspended_total;
  leave_notification(fiber);
  if (fiber.queued_on != nullptr) dequeue(fiber);
  if (fiber.deadline_ns != 0) stop_timer(fiber);
  fiber.object = nullptr;
  fiber.interrupted = true;
  if (view.yielding) --g.cares.yielding;
  view.yielding = false;  // it has something to do
  view.op = {.kind = OpKind::signal_handle, .site = view.op.site, .serial = ++g.serial};
  set_enabled(fiber, true);
}

void stop_awaiting(Fiber& fiber) {
  if (fiber.on_cond) contend(fiber);
}

void pass_interrupted_point(SyncObject* object) {
  Fiber& me = *g.current;
  if (object != nullptr) resume_wait(me, {.object = object});
  while (me.interrupted) {
    run_interruption(me);
    if (off()) break;
    publish(nullptr);
    take_turn(me);
  }
  if (!off()) begin_step();
}

void pass_point() {
  if (!running()) return;
  Fiber& me = publish(nullptr);
  take_turn(me);
  if (__builtin_expect(me.interrupted, 0)) return pass_interrupted_point(nullptr);
  begin_step();
}

void pass_point(SyncObject& object) {
  if (!running()) return;
  Fiber& me = publish(&object);
  if (!grants_pending(me)) {
    enqueue(me, object);
    set_enabled(me, false);
    check_for_cycle(me);
  }
  Fiber& next = choose();
  if (&next != &me) {
    if (me.queued_on == nullptr && me.object != nullptr) enqueue(me, object);
    switch_to(next);
  }
  if (me.queued_on != nullptr) dequeue(me);
  if (__builtin_expect(me.interrupted, 0)) return pass_interrupted_point(&object);
  begin_step();
}

void pass_point(const Wait& wait) {
  if (!running()) return;
  Fiber& me = publish(wait.object);
  me.eintr = false;
  wait_for_turn(me, wait);
  if (__builtin_expect(me.interrupted, 0)) resume_wait(me, wait);
  if (!off()) begin_step();
}

LeftStack* finish_current() {
  Fiber& me = *g.current;
  bool is_last = g.live_count - g.timer_threads == 1 && !me.serves_timer;
  if (is_last) {  // the process ends with its last thread
    me.is_last = true;
    if (races_wanted()) order_last();
    exit_from(0, 0);
  }
  me.state = FiberState::finished;
  begin_era();
  --g.live_count;
  g.enabled.remove(me.id);
  if (me.joiner != kNoThread) notify_joiner(g.fibers[me.joiner], me.id);
  if (g.awaits_all && g.live_count == 1) notify(g.fibers[0]);
  view_of(me).op = {.kind = OpKind::thread_exit};
  return leave_to(choose());
}

void await_others() {
  if (g.live_count == 1) return;
  next_op(OpKind::thread_exit, 0);
  g.awaits_all = true;
  pass_point({.notification = true});
  g.awaits_all = false;
}

std::uint32_t choose_value(std::uint32_t bound) {
  if (!running() || bound < 2) return 0;
  if (__builtin_expect(g.checkpoints, 0)) checkpoint_before_choice();
  if (g.record.sets != nullptr) record_sets(nullptr);
  std::uint32_t picked = g.policy->value(bound, g.step);
  if (picked >= bound) leave_path();
  record_choice(static_cast<std::uint16_t>(picked), OpKind::value, bound);
  return picked;
}

}  // namespace raddle::runtime
