// SPDX-License-Identifier: Apache-2.0
//
// Clocks and sleeping in virtual time. Target side. The wall clock of every run starts at the same
// moment, so that a run does not depend on when it is made.
#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/cancel.h"
#include "runtime/real.h"
#include "runtime/signal_actions.h"
#include "runtime/sync_step.h"
#include "runtime/timers.h"

using namespace raddle::runtime;

namespace raddle::runtime {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// 14 November 2023, and an uptime of a thousand seconds.
constexpr std::uint64_t kWallStart = 1'700'000'000 * kSecond;
constexpr std::uint64_t kBootStart = 1'000 * kSecond;

// The number between CLOCK_BOOTTIME_ALARM and CLOCK_TAI, which is no longer a clock.
constexpr clockid_t kNoClock = 10;

// What the kernel says of a sleep on this clock: 0 or an error.
int sleep_error(clockid_t clock) {
  if (clock == CLOCK_THREAD_CPUTIME_ID || clock > CLOCK_TAI || clock == kNoClock) return EINVAL;
  bool cannot = clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_REALTIME_COARSE ||
                clock == CLOCK_MONOTONIC_COARSE;
  return cannot ? ENOTSUP : 0;
}

bool is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

bool is_cpu_clock(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

std::uint64_t start_of(clockid_t clock) {
  if (is_wall(clock)) return kWallStart;
  return is_cpu_clock(clock) ? 0 : kBootStart;
}

std::uint64_t to_ns(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  std::uint64_t seconds = static_cast<std::uint64_t>(time.tv_sec);
  if (seconds > ~std::uint64_t{0} / kSecond / 2) seconds = ~std::uint64_t{0} / kSecond / 2;
  return seconds * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

timespec to_timespec(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}

// Returns the time left if a signal ended the sleep, else 0.
std::uint64_t sleep_until(std::uint64_t deadline_ns, std::uintptr_t pc) {
  act_on_cancel(pc);
  if (signals_in_use()) enter_wait(pc);
  PendingOp& op = next_op(OpKind::sleep, site_of(pc));
  note_progress();
  pass_point({.notification = true,
              .deadline_ns = deadline_ns,
              .interruption = Interruption::always,
              .cancellation_point = true});
  bool interrupted = running() && g.current->eintr;
  emit_sync(op, interrupted);
  if (!interrupted) return 0;
  return deadline_ns > g.now_ns ? deadline_ns - g.now_ns : 1;
}

}  // namespace

bool is_valid(const timespec& time) {
  return time.tv_nsec >= 0 && static_cast<std::uint64_t>(time.tv_nsec) < kSecond;
}

std::uint64_t deadline_of(clockid_t clock, const timespec& when) {
  std::uint64_t moment = to_ns(when);
  std::uint64_t start = start_of(clock);
  return moment > start ? moment - start : 1;
}

std::uint64_t deadline_after(const timespec& span) {
  std::uint64_t length = to_ns(span);
  return g.now_ns + (length > 0 ? length : 1);
}

}  // namespace raddle::runtime

RADDLE_EXPORT int clock_gettime(clockid_t clock, timespec* result) {
  if (off()) return RADDLE_REAL(clock_gettime)(clock, result);
  if (!is_cpu_clock(clock) && (clock > CLOCK_TAI || clock == kNoClock)) {
    errno = EINVAL;
    return -1;
  }
  *result = to_timespec(start_of(clock) + read_clock_ns());
  return 0;
}

RADDLE_EXPORT int timespec_get(timespec* result, int base) {
  if (off()) return RADDLE_REAL(timespec_get)(result, base);
  if (base != TIME_UTC) return 0;
  *result = to_timespec(kWallStart + read_clock_ns());
  return base;
}

RADDLE_EXPORT int gettimeofday(timeval* result, void* zone) {
  if (off()) return RADDLE_REAL(gettimeofday)(result, zone);
  timespec now = to_timespec(kWallStart + read_clock_ns());
  *result = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

RADDLE_EXPORT time_t time(time_t* result) {
  if (off()) return RADDLE_REAL(time)(result);
  time_t now = to_timespec(kWallStart + read_clock_ns()).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

// The clocks of a run are its own: setting the machine's by them would be wrong, as root even
// possible.
RADDLE_EXPORT int clock_settime(clockid_t clock, const timespec* time) noexcept {
  if (off()) return RADDLE_REAL(clock_settime)(clock, time);
  errno = EPERM;
  return -1;
}

RADDLE_EXPORT int settimeofday(const timeval* time, const struct timezone* zone) noexcept {
  if (off()) return RADDLE_REAL(settimeofday)(time, zone);
  errno = EPERM;
  return -1;
}

RADDLE_EXPORT clock_t clock() {
  if (off()) return RADDLE_REAL(clock)();
  return static_cast<clock_t>(read_clock_ns() / 1000);
}

RADDLE_EXPORT int nanosleep(const timespec* span, timespec* left) {
  if (off()) return RADDLE_REAL(nanosleep)(span, left);
  act_on_cancel(RADDLE_PROGRAM_CALLER);
  if (!is_valid(*span) || span->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  std::uint64_t rest = sleep_until(deadline_after(*span), RADDLE_PROGRAM_CALLER);
  if (left != nullptr) *left = to_timespec(rest);
  if (rest == 0) return 0;
  errno = EINTR;
  return -1;
}

RADDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* when,
                                  timespec* left) {
  if (off()) return RADDLE_REAL(clock_nanosleep)(clock, flags, when, left);
  act_on_cancel(RADDLE_PROGRAM_CALLER);
  if (int error = sleep_error(clock)) return error;
  if (!is_valid(*when) || when->tv_sec < 0) return EINVAL;
  bool absolute = (flags & TIMER_ABSTIME) != 0;
  std::uint64_t deadline = absolute ? deadline_of(clock, *when) : deadline_after(*when);
  std::uint64_t rest = sleep_until(deadline, RADDLE_PROGRAM_CALLER);
  if (left != nullptr && !absolute) *left = to_timespec(rest);
  return rest == 0 ? 0 : EINTR;
}

RADDLE_EXPORT int usleep(useconds_t span) {
  if (off()) return RADDLE_REAL(usleep)(span);
  timespec length = to_timespec(std::uint64_t{span} * 1000);
  if (sleep_until(deadline_after(length), RADDLE_PROGRAM_CALLER) == 0) return 0;
  errno = EINTR;
  return -1;
}

RADDLE_EXPORT unsigned sleep(unsigned seconds) {
  if (off()) return RADDLE_REAL(sleep)(seconds);
  timespec length = {static_cast<time_t>(seconds), 0};
  std::uint64_t rest = sleep_until(deadline_after(length), RADDLE_PROGRAM_CALLER);
  return static_cast<unsigned>((rest + kSecond - 1) / kSecond);
}

RADDLE_EXPORT int sched_yield() {
  if (off()) return RADDLE_REAL(sched_yield)();
  if (!running()) return 0;
  PendingOp& op = next_op(OpKind::yield, site_of(RADDLE_PROGRAM_CALLER));
  mark_yielding();
  pass_point();
  emit_sync(op);
  return 0;
}

// glibc's header turns pthread_yield into sched_yield; older programs still call it.
RADDLE_EXPORT int legacy_pthread_yield() __asm__("pthread_yield");
int legacy_pthread_yield() { return sched_yield(); }
