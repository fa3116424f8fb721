// SPDX-License-Identifier: Apache-2.0
//
// POSIX timers (timer_create and its relatives) in virtual time. Target side. See program_timers.h.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "runtime/program_timers.h"
#include "runtime/real.h"
#include "runtime/sync_step.h"
#include "runtime/threads.h"

using namespace raddle::runtime;

namespace {

int fail(int error) {
  errno = error;
  return -1;
}

bool is_cpu_clock(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

bool is_clock_for_timers(clockid_t clock) {
  return is_cpu_clock(clock) || clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_BOOTTIME_ALARM || clock == CLOCK_TAI;
}

// Numbers, as the kernel's are: to a child of the program, which has no timers, they mean nothing.
timer_t handle_of(unsigned number) { return reinterpret_cast<timer_t>(std::uintptr_t{number}); }

ProgramTimer* timer_of(timer_t handle) {
  auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number <= ~0u ? timer_with(static_cast<unsigned>(number)) : nullptr;
}

// How the program wants to be told. 0 or an errno.
int describe(const sigevent& event, ProgramTimer& timer) {
  timer.signal.value = event.sigev_value;
  switch (event.sigev_notify) {
    case SIGEV_NONE:
      timer.notice = Notice::none;
      return 0;
    case SIGEV_THREAD:
      timer.notice = Notice::thread;
      timer.call = event.sigev_notify_function;
      if (event.sigev_notify_attributes != nullptr)
        pthread_attr_getstacksize(event.sigev_notify_attributes, &timer.stack_size);
      return 0;
    case SIGEV_THREAD_ID: {
      const Fiber* to = fiber_with_tid(event._sigev_un._tid);
      if (to == nullptr) return EINVAL;
      timer.to = to->id;
      [[fallthrough]];
    }
    case SIGEV_SIGNAL:
      timer.notice = Notice::signal;
      timer.signal.number = event.sigev_signo;
      return is_signal(event.sigev_signo) ? 0 : EINVAL;
    default:
      return EINVAL;
  }
}

timespec to_timespec(std::uint64_t ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

std::uint64_t to_ns(const timespec& span) {
  return static_cast<std::uint64_t>(span.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(span.tv_nsec);
}

itimerspec setting_of(const ProgramTimer& timer) {
  return {to_timespec(timer.interval_ns), to_timespec(time_left(timer))};
}

}  // namespace

RADDLE_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* handle) noexcept {
  if (off()) return RADDLE_REAL(timer_create)(clock, event, handle);
  if (!is_clock_for_timers(clock)) return fail(EINVAL);
  unsigned number;
  ProgramTimer* timer = new_timer(&number);
  if (timer == nullptr) return fail(EAGAIN);
  timer->clock = clock;
  timer->on_cpu_time = is_cpu_clock(clock);
  timer->to = raddle::kNoThread;
  timer->signal = {SIGALRM, SI_TIMER, static_cast<pid_t>(number), 0, {}};
  timer->signal.value.sival_ptr = handle_of(number);
  timer->notice = Notice::signal;
  int error = event == nullptr ? 0 : describe(*event, *timer);
  if (error != 0) {
    timer->in_use = false;
    return fail(error);
  }
  *handle = handle_of(number);
  return 0;
}

RADDLE_EXPORT int timer_settime(timer_t handle, int flags, const itimerspec* setting,
                                itimerspec* old) noexcept {
  if (off()) return RADDLE_REAL(timer_settime)(handle, flags, setting, old);
  ProgramTimer* timer = timer_of(handle);
  bool valid = timer != nullptr && is_valid(setting->it_value) && setting->it_value.tv_sec >= 0 &&
               is_valid(setting->it_interval) && setting->it_interval.tv_sec >= 0;
  if (!valid) return fail(EINVAL);
  itimerspec before = setting_of(*timer);
  std::uint64_t deadline = 0;
  if (to_ns(setting->it_value) != 0)
    deadline = (flags & TIMER_ABSTIME) != 0 ? deadline_of(timer->clock, setting->it_value)
                                            : deadline_after(setting->it_value);
  if (!set_timer(*timer, deadline, to_ns(setting->it_interval))) return fail(EAGAIN);
  if (old != nullptr) *old = before;
  return 0;
}

RADDLE_EXPORT int timer_gettime(timer_t handle, itimerspec* setting) noexcept {
  if (off()) return RADDLE_REAL(timer_gettime)(handle, setting);
  const ProgramTimer* timer = timer_of(handle);
  if (timer == nullptr) return fail(EINVAL);
  *setting = setting_of(*timer);
  return 0;
}

RADDLE_EXPORT int timer_getoverrun(timer_t handle) noexcept {
  if (off()) return RADDLE_REAL(timer_getoverrun)(handle);
  const ProgramTimer* timer = timer_of(handle);
  return timer == nullptr ? fail(EINVAL) : static_cast<int>(timer->overruns);
}

RADDLE_EXPORT int timer_delete(timer_t handle) noexcept {
  if (off()) return RADDLE_REAL(timer_delete)(handle);
  ProgramTimer* timer = timer_of(handle);
  if (timer == nullptr) return fail(EINVAL);
  set_timer(*timer, 0, 0);
  timer->in_use = false;
  return 0;
}
