// SPDX-License-Identifier: Apache-2.0
//
// See program_timers.h.
#include "runtime/program_timers.h"

#include <pthread.h>
#include <string.h>
#include <sys/time.h>

#include <cstdint>

#include "runtime/start.h"
#include "runtime/sync_step.h"
#include "runtime/threads.h"

namespace raddle::runtime {
namespace {

constexpr unsigned kIntervalTimers = 3;
constexpr unsigned kTimersMax = 256;
struct Timers {
  ProgramTimer interval[kIntervalTimers];
  ProgramTimer made[kTimersMax];
  unsigned made_count;  // slots used so far
  bool touched;
} timers;

template <class Visit>
void for_each_timer(Visit visit) {
  for (ProgramTimer& timer : timers.interval) visit(timer);
  for (unsigned i = 0; i < timers.made_count; ++i) visit(timers.made[i]);
}

void sleep_until_due(const ProgramTimer& timer) {
  PendingOp& op = next_op(OpKind::sleep, 0);
  pass_point({.notification = true, .deadline_ns = timer.deadline_ns});
  emit_sync(op);
}

// The timer is due: it is set for the next time, or switched off.
void advance(ProgramTimer& timer) {
  timer.overruns = 0;
  if (timer.interval_ns == 0) {
    timer.fiber = nullptr;
    timer.deadline_ns = 0;
    return;
  }
  std::uint64_t missed = (g.now_ns - timer.deadline_ns) / timer.interval_ns;
  timer.overruns = static_cast<std::uint32_t>(missed < INT32_MAX ? missed : INT32_MAX);
  timer.deadline_ns += (missed + 1) * timer.interval_ns;
}

void send_signal(ProgramTimer& timer) {
  ThreadId me = g.current->id;
  emit({.kind = OpKind::signal_send,
        .size = static_cast<std::uint16_t>(timer.signal.number),
        .other = timer.to},
       me, with_caller(timer.to), 0);
  Fiber* target = timer.to == kNoThread ? nullptr : &g.fibers[timer.to];
  if (target != nullptr && target->state != FiberState::alive) return;
  bool of_timer_create = timer.signal.code == SI_TIMER;
  // One is enough: while it is pending, only the count goes up.
  if (Signal* pending = of_timer_create ? pending_of_timer(target, timer.signal) : nullptr) {
    pending->uid += timer.overruns + 1;
    timer.overruns = pending->uid;
    return;
  }
  Signal signal = timer.signal;
  if (of_timer_create) signal.uid = timer.overruns;
  post_signal(target, signal);
}

// A function of one word, called as one that takes a pointer, finds its argument in the same place;
// what it leaves as its result is of no interest.
void start_thread(const ProgramTimer& timer) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (timer.stack_size != 0) pthread_attr_setstacksize(&attributes, timer.stack_size);
  auto* start = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(timer.call));
  pthread_t thread;
  int error = create_thread(&thread, &attributes, start, timer.signal.value.sival_ptr,
                            reinterpret_cast<std::uintptr_t>(timer.call) + 1);
  pthread_attr_destroy(&attributes);
  if (error == 0) set_signal_mask(*fiber_of(thread), 0);
}

LeftStack* timer_main(Fiber* fiber) {
  after_switch();
  begin_first_step();
  emit_step({.kind = OpKind::thread_start}, fiber->id);
  auto& timer = *static_cast<ProgramTimer*>(fiber->argument);
  while (timer.fiber == fiber) {
    sleep_until_due(timer);
    // It may have been set anew, or been switched off.
    if (timer.fiber != fiber || g.now_ns < timer.deadline_ns) continue;
    advance(timer);
    if (timer.notice == Notice::signal)
      send_signal(timer);
    else
      start_thread(timer);
  }
  emit({.kind = OpKind::thread_exit, .other = fiber->id}, fiber->id, fiber->id, 0);
  --g.timer_threads;
  return finish_current();
}

bool start_timer_thread(ProgramTimer& timer) {
  enter_run();
  Fiber* fiber = create_fiber({}, timer_main);
  if (fiber == nullptr) return false;
  fiber->argument = &timer;
  fiber->detached = true;
  fiber->serves_timer = true;
  fiber->on_cpu_time = timer.on_cpu_time;
  fiber->creator = g.current->id;
  fiber->created_epoch = g.current->epoch;
  advance_epoch(*g.current);
  if (races_wanted()) order_create(*fiber);
  strncpy(fiber->name, timer.name, sizeof fiber->name - 1);
  set_signal_mask(*fiber, ~SignalSet{0});
  view_of(*fiber).op = {.kind = OpKind::thread_start, .serial = ++g.serial};
  g.shared->threads = g.thread_count;
  ++g.timer_threads;
  emit({.kind = OpKind::thread_create, .other = fiber->id}, g.current->id, with_caller(fiber->id),
       0);
  timer.fiber = fiber;
  enable(*fiber);
  return true;
}

void switch_off(ProgramTimer& timer) {
  Fiber* fiber = timer.fiber;
  timer.fiber = nullptr;
  timer.deadline_ns = timer.interval_ns = 0;
  if (fiber != nullptr && fiber->on_cond) notify(*fiber);
}

}  // namespace

bool set_timer(ProgramTimer& timer, std::uint64_t deadline_ns, std::uint64_t interval_ns) {
  timers.touched = true;
  if (deadline_ns == 0) {
    switch_off(timer);
    return true;
  }
  timer.deadline_ns = deadline_ns;
  timer.interval_ns = interval_ns;
  if (timer.notice == Notice::none) return true;
  if (timer.fiber == nullptr) return start_timer_thread(timer);
  if (races_wanted()) order_hand_over(*timer.fiber);
  if (timer.fiber->deadline_ns != 0) timer.fiber->deadline_ns = deadline_ns;
  return true;
}

std::uint64_t time_left(const ProgramTimer& timer) {
  if (timer.deadline_ns == 0) return 0;
  if (timer.deadline_ns > g.now_ns) return timer.deadline_ns - g.now_ns;
  if (timer.fiber != nullptr) return 1;  // set, so not 0
  // Nobody is told, and nobody has set it for the next time.
  if (timer.interval_ns == 0) return 0;
  return timer.interval_ns - (g.now_ns - timer.deadline_ns) % timer.interval_ns;
}

ProgramTimer& interval_timer(int which) {
  ProgramTimer& timer = timers.interval[which];
  if (timer.in_use) return timer;
  constexpr int kSignals[] = {SIGALRM, SIGVTALRM, SIGPROF};
  timer.name = which == ITIMER_REAL ? "alarm" : "timer";
  timer.in_use = timers.touched = true;
  timer.on_cpu_time = which != ITIMER_REAL;
  timer.notice = Notice::signal;
  timer.signal = {kSignals[which], SI_KERNEL, 0, 0, {}};
  timer.to = kNoThread;
  return timer;
}

ProgramTimer* new_timer(unsigned* number) {
  unsigned free = 0;
  while (free < timers.made_count && timers.made[free].in_use) ++free;
  if (free == kTimersMax) return nullptr;
  if (free == timers.made_count) ++timers.made_count;
  // The thread of one that was here before may still be about to end: it asks for itself.
  timers.made[free] = {};
  timers.made[free].in_use = timers.touched = true;
  timers.made[free].name = "timer";
  *number = free;
  return &timers.made[free];
}

ProgramTimer* timer_with(unsigned number) {
  bool known = number < timers.made_count && timers.made[number].in_use;
  return known ? &timers.made[number] : nullptr;
}

void hold_cpu_timers(std::uint64_t ns) {
  if (!timers.touched) return;
  for_each_timer([ns](ProgramTimer& timer) {
    if (!timer.on_cpu_time || timer.deadline_ns == 0) return;
    timer.deadline_ns += ns;
    if (timer.fiber != nullptr && timer.fiber->deadline_ns != 0) timer.fiber->deadline_ns += ns;
  });
}

void switch_off_timers() {
  if (timers.touched) for_each_timer(switch_off);
}

void reset_timers() {
  if (timers.touched) timers = {};
}

}  // namespace raddle::runtime
