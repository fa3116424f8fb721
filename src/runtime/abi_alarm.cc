// SPDX-License-Identifier: Apache-2.0
//
// alarm and setitimer(ITIMER_REAL) in virtual time. Target side.
//
// A timer that is set is a thread of its own, called "alarm", which sleeps until the time has come
// and then sends SIGALRM to the process. So it needs no rules of its own: it fires when a sleeping
// thread would wake, its signal races with the other threads as the schedule wants, and
// interleavings show it in a column. It ends with the timer.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/signal_queue.h"
#include "runtime/start.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

struct Alarm {
  Fiber* fiber;  // null: not set
  std::uint64_t deadline_ns;
  std::uint64_t interval_ns;  // 0: fires once
} alarm_clock;

bool is_set_for(const Fiber* fiber) { return alarm_clock.fiber == fiber; }

void sleep_until_alarm() {
  PendingOp& op = next_op(OpKind::sleep, 0);
  pass_point({.notification = true, .deadline_ns = alarm_clock.deadline_ns});
  emit_sync(op);
}

LeftStack* alarm_main(Fiber* fiber) {
  after_switch();
  begin_first_step();
  emit_step({.kind = OpKind::thread_start}, fiber->id);
  while (is_set_for(fiber)) {
    sleep_until_alarm();
    // It may have been set anew, or been switched off.
    if (!is_set_for(fiber) || g.now_ns < alarm_clock.deadline_ns) continue;
    emit({.kind = OpKind::signal_send, .size = SIGALRM, .other = raddle::kNoThread}, fiber->id,
         with_caller(raddle::kNoThread), 0);
    if (alarm_clock.interval_ns == 0)
      alarm_clock.fiber = nullptr;
    else
      alarm_clock.deadline_ns = g.now_ns + alarm_clock.interval_ns;
    post_signal(nullptr, {SIGALRM, SI_KERNEL, 0, 0, {}});
  }
  emit({.kind = OpKind::thread_exit, .other = fiber->id}, fiber->id, fiber->id, 0);
  return finish_current();
}

bool start_alarm_thread() {
  enter_run();
  Fiber* fiber = create_fiber(0, alarm_main);
  if (fiber == nullptr) return false;
  fiber->detached = true;
  fiber->creator = g.current->id;
  fiber->created_epoch = g.current->epoch;
  advance_epoch(*g.current);
  if (races_wanted()) order_create(*fiber);
  memcpy(fiber->name, "alarm", 6);
  set_signal_mask(*fiber, ~SignalSet{0});
  view_of(*fiber).op = {.kind = OpKind::thread_start, .serial = ++g.serial};
  g.shared->threads = g.thread_count;
  emit({.kind = OpKind::thread_create, .other = fiber->id}, g.current->id, with_caller(fiber->id),
       0);
  alarm_clock.fiber = fiber;
  enable(*fiber);
  return true;
}

std::uint64_t time_left() {
  if (alarm_clock.fiber == nullptr) return 0;
  std::uint64_t left = alarm_clock.deadline_ns > g.now_ns ? alarm_clock.deadline_ns - g.now_ns : 0;
  return left > 0 ? left : 1000;  // set, so not 0
}

void switch_off() {
  Fiber* fiber = alarm_clock.fiber;
  alarm_clock.fiber = nullptr;
  if (fiber != nullptr && fiber->on_cond) notify(*fiber);
}

// Returns false if there are too many threads.
bool set_alarm(std::uint64_t span_ns, std::uint64_t interval_ns) {
  if (span_ns == 0) {
    switch_off();
    return true;
  }
  alarm_clock.deadline_ns = g.now_ns + span_ns;
  alarm_clock.interval_ns = interval_ns;
  if (alarm_clock.fiber == nullptr) return start_alarm_thread();
  if (alarm_clock.fiber->deadline_ns != 0) alarm_clock.fiber->deadline_ns = alarm_clock.deadline_ns;
  return true;
}

std::uint64_t to_ns(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_usec) * 1000;
}

timeval to_timeval(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kSecond), static_cast<suseconds_t>(ns % kSecond / 1000)};
}

}  // namespace

RADDLE_EXPORT unsigned alarm(unsigned seconds) {
  if (off()) return RADDLE_REAL(alarm)(seconds);
  std::uint64_t left = time_left();
  set_alarm(seconds * kSecond, 0);
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

RADDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) {
  if (!off() && which != ITIMER_REAL) end_residence(raddle::wire::ResidentEnd::kernel_state);
  if (off() || which != ITIMER_REAL) return RADDLE_REAL(setitimer)(which, value, old);
  auto is_bad = [](const timeval& t) {
    return t.tv_sec < 0 || t.tv_usec < 0 || t.tv_usec > 999999;
  };
  if (is_bad(value->it_value) || is_bad(value->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  itimerval before = {to_timeval(alarm_clock.fiber != nullptr ? alarm_clock.interval_ns : 0),
                      to_timeval(time_left())};
  set_alarm(to_ns(value->it_value), to_ns(value->it_interval));
  if (old != nullptr) *old = before;
  return 0;
}

RADDLE_EXPORT int getitimer(__itimer_which_t which, itimerval* value) {
  if (off() || which != ITIMER_REAL) return RADDLE_REAL(getitimer)(which, value);
  *value = {to_timeval(alarm_clock.fiber != nullptr ? alarm_clock.interval_ns : 0),
            to_timeval(time_left())};
  return 0;
}

RADDLE_EXPORT useconds_t ualarm(useconds_t span, useconds_t interval) {
  if (off()) return RADDLE_REAL(ualarm)(span, interval);
  std::uint64_t left = time_left();
  set_alarm(std::uint64_t{span} * 1000, std::uint64_t{interval} * 1000);
  return static_cast<useconds_t>(left / 1000);
}
