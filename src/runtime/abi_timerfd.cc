// SPDX-License-Identifier: Apache-2.0
//
// timerfd in virtual time. Target side. The descriptor that the program gets is an eventfd, which
// reads and polls in the same way: eight bytes that count. When virtual time reaches the deadline,
// the count goes up.
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "runtime/fatal.h"
#include "runtime/io_step.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace raddle::runtime {
namespace {

struct Timer {
  std::uint32_t number;  // of the descriptor; 0: unused
  int file;
  clockid_t clock;
  std::uint64_t next_ns;  // 0: not armed
  std::uint64_t interval_ns;
};
constexpr unsigned kTimersMax = 256;
Timer timers[kTimersMax];
unsigned timer_slots;  // used so far

bool is_open(const Timer& timer) {
  const Descriptor* known = find_descriptor(timer.file);
  return timer.number != 0 && known != nullptr && known->kind == DescriptorKind::timer &&
         known->number == timer.number;
}

Timer* timer_of(int file) {
  const Descriptor* known = find_descriptor(file);
  if (known == nullptr || known->kind != DescriptorKind::timer) return nullptr;
  for (unsigned i = 0; i < timer_slots; ++i)
    if (timers[i].number == known->number) return &timers[i];
  return nullptr;
}

Timer& free_timer() {
  for (unsigned i = 0; i < timer_slots; ++i)
    if (!is_open(timers[i])) return timers[i];
  if (timer_slots == kTimersMax) refuse("the program has more than 256 timerfds");
  return timers[timer_slots++];
}

timespec span_of(std::uint64_t ns) {
  return {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

std::uint64_t ns_of(const timespec& span) {
  return static_cast<std::uint64_t>(span.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(span.tv_nsec);
}

itimerspec setting_of(const Timer& timer) {
  std::uint64_t left = timer.next_ns > g.now_ns ? timer.next_ns - g.now_ns : 0;
  return {span_of(timer.interval_ns), span_of(left)};
}

void drain(int file) {
  pollfd count{file, POLLIN, 0};
  std::uint64_t value;
  if (is_ready(count)) [[maybe_unused]]
    ssize_t got = RADDLE_REAL(read)(file, &value, sizeof value);
}

}  // namespace

std::uint64_t next_timerfd_ns() {
  std::uint64_t next = ~std::uint64_t{0};
  for (unsigned i = 0; i < timer_slots; ++i)
    if (timers[i].next_ns != 0 && timers[i].next_ns < next && is_open(timers[i]))
      next = timers[i].next_ns;
  return next;
}

void fire_due_timerfds() {
  for (unsigned i = 0; i < timer_slots; ++i) {
    Timer& timer = timers[i];
    if (timer.next_ns == 0 || timer.next_ns > g.now_ns || !is_open(timer)) continue;
    std::uint64_t times = 1;
    if (timer.interval_ns != 0) times += (g.now_ns - timer.next_ns) / timer.interval_ns;
    [[maybe_unused]] ssize_t written = RADDLE_REAL(write)(timer.file, &times, sizeof times);
    timer.next_ns = timer.interval_ns == 0 ? 0 : timer.next_ns + times * timer.interval_ns;
  }
}

}  // namespace raddle::runtime

RADDLE_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  if (!running()) return RADDLE_REAL(timerfd_create)(clock, flags);
  static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} && int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
  int file = RADDLE_REAL(eventfd)(0, flags);
  if (file < 0) return file;
  Timer& timer = free_timer();
  timer = {number_descriptor(DescriptorKind::timer), file, clock, 0, 0};
  note_descriptor(file, DescriptorKind::timer, timer.number);
  return file;
}

RADDLE_EXPORT int timerfd_settime(int file, int flags, const itimerspec* setting,
                                  itimerspec* old) noexcept {
  Timer* timer = running() ? timer_of(file) : nullptr;
  if (timer == nullptr) return RADDLE_REAL(timerfd_settime)(file, flags, setting, old);
  if (!is_valid(setting->it_value) || !is_valid(setting->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  if (old != nullptr) *old = setting_of(*timer);
  drain(file);
  bool armed = setting->it_value.tv_sec != 0 || setting->it_value.tv_nsec != 0;
  bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
  timer->next_ns = !armed     ? 0
                   : absolute ? deadline_of(timer->clock, setting->it_value)
                              : deadline_after(setting->it_value);
  timer->interval_ns = ns_of(setting->it_interval);
  note_outside_change();
  return 0;
}

RADDLE_EXPORT int timerfd_gettime(int file, itimerspec* setting) noexcept {
  Timer* timer = running() ? timer_of(file) : nullptr;
  if (timer == nullptr) return RADDLE_REAL(timerfd_gettime)(file, setting);
  *setting = setting_of(*timer);
  return 0;
}
