// SPDX-License-Identifier: Apache-2.0
//
// alarm, ualarm, setitimer in virtual time. Target side. See program_timers.h.
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/program_timers.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::uint64_t to_ns(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_usec) * 1000;
}

// Rounded up: a timer that is set has time left.
timeval to_timeval(std::uint64_t ns) {
  ns += 999;
  return {static_cast<time_t>(ns / kSecond), static_cast<suseconds_t>(ns % kSecond / 1000)};
}

itimerval setting_of(const ProgramTimer& timer) {
  return {to_timeval(timer.interval_ns), to_timeval(time_left(timer))};
}

void set_for(ProgramTimer& timer, std::uint64_t span_ns, std::uint64_t interval_ns) {
  set_timer(timer, span_ns == 0 ? 0 : g.now_ns + span_ns, interval_ns);
}

bool is_known(int which) {
  return which == ITIMER_REAL || which == ITIMER_VIRTUAL || which == ITIMER_PROF;
}

int fail() {
  errno = EINVAL;
  return -1;
}

}  // namespace

RADDLE_EXPORT unsigned alarm(unsigned seconds) {
  if (off()) return RADDLE_REAL(alarm)(seconds);
  ProgramTimer& timer = interval_timer(ITIMER_REAL);
  std::uint64_t left = time_left(timer);
  set_for(timer, seconds * kSecond, 0);
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

RADDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) {
  if (off()) return RADDLE_REAL(setitimer)(which, value, old);
  auto is_bad = [](const timeval& t) {
    return t.tv_sec < 0 || t.tv_usec < 0 || t.tv_usec > 999999;
  };
  if (!is_known(which)) return fail();
  if (value != nullptr && (is_bad(value->it_value) || is_bad(value->it_interval))) return fail();
  ProgramTimer& timer = interval_timer(which);
  itimerval before = setting_of(timer);
  // Without a value the kernel switches it off.
  set_for(timer, value == nullptr ? 0 : to_ns(value->it_value),
          value == nullptr ? 0 : to_ns(value->it_interval));
  if (old != nullptr) *old = before;
  return 0;
}

RADDLE_EXPORT int getitimer(__itimer_which_t which, itimerval* value) {
  if (off()) return RADDLE_REAL(getitimer)(which, value);
  if (!is_known(which)) return fail();
  *value = setting_of(interval_timer(which));
  return 0;
}

RADDLE_EXPORT useconds_t ualarm(useconds_t span, useconds_t interval) {
  if (off()) return RADDLE_REAL(ualarm)(span, interval);
  ProgramTimer& timer = interval_timer(ITIMER_REAL);
  std::uint64_t left = time_left(timer);
  set_for(timer, std::uint64_t{span} * 1000, std::uint64_t{interval} * 1000);
  return static_cast<useconds_t>((left + 999) / 1000);
}
