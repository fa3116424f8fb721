// SPDX-License-Identifier: Apache-2.0
//
// The threads that are at an I/O op, and real waiting. Target side; see outside.h for the rules.
//
// invariant: `waiting` holds the threads at an I/O op in the order in which they came to it.
#include "runtime/outside.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/descriptors.h"
#include "runtime/fatal.h"
#include "runtime/file_locks.h"
#include "runtime/real.h"
#include "runtime/signal_actions.h"
#include "runtime/timers.h"

namespace raddle::runtime {

namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};
constexpr std::uint64_t kMillisecond = 1'000'000;
// A thread may compute this long before outside input is offered although others could run.
constexpr StepIndex kPatienceSteps = 20'000;
// How often to look at what cannot be polled: any child, file locks.
constexpr std::uint64_t kTickNs = 1 * kMillisecond;
// Before a run is called idle: data on the way through the loopback device arrives.
constexpr std::uint64_t kGraceNs = 5 * kMillisecond;
// While there are children: how long other waits may take when one is over already.
constexpr std::uint64_t kChildGraceNs = 50 * kMillisecond;

bool locks_changed;
ThreadId waiting[kMaxThreads];
OutsideWait* waits[kMaxThreads];  // by thread
StepIndex patience_ends;

std::uint64_t real_now_ns() {
  timespec now{};
  RADDLE_REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void real_sleep(std::uint64_t ns) {
  timespec span{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  RADDLE_REAL(ppoll)(nullptr, 0, &span, nullptr);
}

bool child_changed(const OutsideWait& wait, bool* no_child) {
  siginfo_t info{};
  int flags = wait.child_states | WNOHANG | WNOWAIT;
  *no_child = RADDLE_REAL(waitid)(wait.child_kind, wait.child, &info, flags) != 0;
  return *no_child || info.si_pid != 0;
}

bool is_over(const OutsideWait& wait) {
  bool no_child;
  if (wait.for_child) return child_changed(wait, &no_child);
  if (wait.lock_file >= 0) return false;
  return RADDLE_REAL(poll)(wait.files, wait.count, 0) != 0;
}

bool all_inside(const OutsideWait& wait) {
  if (children_alive > 0 || wait.for_child) return false;
  if (wait.lock_file >= 0) return locks_are_ours(wait.lock_file);
  // No descriptors at all: the program waits for a signal.
  bool inside = false;
  for (nfds_t i = 0; i < wait.count; ++i) {
    if (wait.files[i].fd < 0) continue;
    if (!is_inside(wait.files[i].fd)) return false;
    inside = true;
  }
  return inside;
}

// Whether the wait is for something that this program did not make: then it is not looked at while
// others can run.
bool is_foreign(const OutsideWait& wait) {
  if (wait.for_child) return true;
  if (wait.lock_file >= 0) return false;
  if (children_alive > 0) return true;
  for (nfds_t i = 0; i < wait.count; ++i)
    if (wait.files[i].fd >= 0 && find_descriptor(wait.files[i].fd) == nullptr) return true;
  return false;
}

bool over_at_once(const OutsideWait& wait) {
  bool no_child = false;
  if (wait.for_child) {
    child_changed(wait, &no_child);
    return no_child;
  }
  return !is_foreign(wait) && is_over(wait);
}

void enroll(Fiber& fiber, OutsideWait& wait) {
  if (g.cares.io_waiting == 0) patience_ends = g.step + kPatienceSteps;
  waits[fiber.id] = &wait;
  waiting[g.cares.io_waiting++] = fiber.id;
}

// Requires nothing: a thread that gave up because of a signal is not in the list.
void withdraw(Fiber& fiber) {
  if (waits[fiber.id] == nullptr) return;
  std::uint32_t i = 0;
  while (waiting[i] != fiber.id) ++i;
  --g.cares.io_waiting;
  memmove(&waiting[i], &waiting[i + 1], (g.cares.io_waiting - i) * sizeof waiting[0]);
  waits[fiber.id] = nullptr;
}

template <class Test>
bool any_wait(Test test) {
  for (std::uint32_t i = 0; i < g.cares.io_waiting; ++i)
    if (test(*waits[waiting[i]])) return true;
  return false;
}

bool something_outside() {
  return any_wait([](const OutsideWait& wait) { return !all_inside(wait); });
}

bool anything_over() { return any_wait(is_over); }

// Whether the wait would look the same if all children were a little faster.
bool is_settled(const OutsideWait& wait) {
  if (wait.lock_file >= 0) return true;
  if (wait.for_child && wait.child_kind != P_PID) return !any_child_runs();
  if (is_over(wait)) return true;
  const Descriptor* known = wait.count > 0 ? find_descriptor(wait.files[0].fd) : nullptr;
  return known != nullptr && known->kind == DescriptorKind::socket;
}

// Enables the threads whose waits are over. How fast children are should not matter, so if one
// event of theirs is there, the others get a moment to come too.
bool wake_over() {
  if (!anything_over()) return false;
  if (children_alive > 0) {
    std::uint64_t give_up = real_now_ns() + kChildGraceNs;
    auto unsettled = [](const OutsideWait& wait) { return !is_settled(wait); };
    while (any_wait(unsettled) && real_now_ns() < give_up) real_sleep(kTickNs / 4);
  }
  bool any = false;
  for (std::uint32_t i = 0; i < g.cares.io_waiting; ++i) {
    if (!is_over(*waits[waiting[i]])) continue;
    set_outside_ready(g.fibers[waiting[i]], true);
    any = true;
  }
  return any;
}

bool wake_lock_waiters() {
  bool any = false;
  for (std::uint32_t i = 0; i < g.cares.io_waiting; ++i)
    if (waits[waiting[i]]->lock_file >= 0) {
      set_outside_ready(g.fibers[waiting[i]], true);
      any = true;
    }
  return any;
}

// Everything that can be polled, in one array.
constexpr nfds_t kPolledMax = 4096;
struct Polled {
  pollfd files[kPolledMax];
  nfds_t count;
  int child_files[kMaxThreads];
  unsigned child_count;
  bool needs_tick;
} polled;

void add_polled(const pollfd& file) {
  if (polled.count == kPolledMax) refuse("the program waits for more than 4096 descriptors");
  polled.files[polled.count++] = file;
}

void gather() {
  polled.count = 0;
  polled.child_count = 0;
  polled.needs_tick = false;
  for (std::uint32_t i = 0; i < g.cares.io_waiting; ++i) {
    const OutsideWait& wait = *waits[waiting[i]];
    for (nfds_t k = 0; k < wait.count; ++k) add_polled(wait.files[k]);
    if (wait.lock_file >= 0) polled.needs_tick = true;
    if (!wait.for_child) continue;
    int file = wait.child_kind == P_PID && wait.child_states == WEXITED
                   ? static_cast<int>(RADDLE_REAL(syscall)(SYS_pidfd_open, wait.child, 0))
                   : -1;
    if (file < 0) {
      polled.needs_tick = true;
      continue;
    }
    polled.child_files[polled.child_count++] = file;
    add_polled({file, POLLIN, 0});
  }
}

// Waits for what was gathered, unless a signal has come; a signal that comes ends the wait.
void poll_unless_signalled(const timespec* span) {
  sigset_t all, before;
  sigfillset(&all);
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &all, &before);
  if (g.cares.outside_signals == 0) RADDLE_REAL(ppoll)(polled.files, polled.count, span, &before);
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &before, nullptr);
}

// Really waits until something is over, a signal comes, or for `ns` (kNever: for ever). True if
// something is over or a signal has come.
bool wait_really(std::uint64_t ns) {
  std::uint64_t begin = real_now_ns();
  gather();
  bool over = false;
  for (;;) {
    std::uint64_t passed = real_now_ns() - begin;
    std::uint64_t left = passed >= ns ? 0 : ns == kNever ? kNever : ns - passed;
    if (polled.needs_tick && left > kTickNs) left = kTickNs;
    timespec span{static_cast<time_t>(left / 1'000'000'000),
                  static_cast<long>(left % 1'000'000'000)};
    poll_unless_signalled(left == kNever ? nullptr : &span);
    over = anything_over() || g.cares.outside_signals != 0 ||
           (polled.needs_tick && wake_lock_waiters());
    if (over || (ns != kNever && real_now_ns() - begin >= ns)) break;
  }
  for (unsigned i = 0; i < polled.child_count; ++i) RADDLE_REAL(close)(polled.child_files[i]);
  return over;
}

// The next thing that time alone brings.
std::uint64_t next_deadline(const Fiber* sleeper) {
  std::uint64_t next = next_timerfd_ns();
  return sleeper != nullptr && sleeper->deadline_ns < next ? sleeper->deadline_ns : next;
}

// Time reaches the next timerfd if that comes before the sleeper.
bool jump_to_timerfd(const Fiber* sleeper) {
  std::uint64_t next = next_timerfd_ns();
  if (next == kNever || (sleeper != nullptr && sleeper->deadline_ns <= next)) return false;
  advance_clock(next);
  fire_due_timerfds();
  return true;
}

// Whether some thread waits for time, and for nothing outside.
bool somebody_sleeps() {
  if (next_timerfd_ns() != kNever) return true;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    if (fiber.state != FiberState::alive || fiber.deadline_ns == 0 || fiber.on_cpu_time) continue;
    if (waits[id] == nullptr || all_inside(*waits[id])) return true;
  }
  return false;
}

// With --stop-when-idle nothing comes from outside that is not there yet, so time may jump.
bool stop_or_jump(const Fiber* sleeper) {
  if (wait_really(kGraceNs)) return true;
  if (!somebody_sleeps()) end_idle_run();
  return jump_to_timerfd(sleeper);
}

}  // namespace

void note_lock_change() {
  locks_changed = true;
  note_outside_change();
}

OutsideWait* suspend_outside(Fiber& fiber) {
  OutsideWait* wait = waits[fiber.id];
  withdraw(fiber);
  return wait;
}

void resume_outside(Fiber& fiber, OutsideWait& wait) {
  enroll(fiber, wait);
  note_outside_change();  // the handlers may have taken what was there
}

bool pass_outside_point(OutsideWait& wait, const OutsideLimits& limits) {
  if (!running()) return true;
  Fiber& me = *g.current;
  for (;;) {
    bool ready = over_at_once(wait);
    enroll(me, wait);
    pass_point({.notification = !ready,
                .deadline_ns = limits.deadline_ns,
                .interruption = limits.interruption,
                .cancellation_point = limits.cancellation_point});
    withdraw(me);
    note_outside_change();
    if (off()) return !me.eintr;  // the program's own child, forked by a handler
    if (wait.lock_file >= 0) return !me.timed_out;
    if (is_over(wait)) return true;
    if (me.timed_out || me.eintr) return false;
    // A call that we do not see was faster: wait again.
  }
}

void look_outside() {
  bool everything = g.step >= patience_ends;
  if (!g.io_changed && !everything) return;
  if (everything) patience_ends = g.step + kPatienceSteps;
  bool try_locks = locks_changed;
  g.io_changed = locks_changed = false;
  fire_due_timerfds();
  for (std::uint32_t i = 0; i < g.cares.io_waiting; ++i) {
    Fiber& fiber = g.fibers[waiting[i]];
    const OutsideWait& wait = *waits[fiber.id];
    if (wait.lock_file >= 0) {
      if (try_locks) set_outside_ready(fiber, true);
    } else if (everything || !is_foreign(wait)) {
      set_outside_ready(fiber, is_over(wait));
    }
  }
}

bool wait_outside(Fiber* sleeper) {
  fire_due_timerfds();
  if (wake_over()) return true;
  if (!something_outside()) return jump_to_timerfd(sleeper);
  if (g.shared->plan.stop_when_idle != 0 && children_alive == 0) return stop_or_jump(sleeper);
  std::uint64_t next = next_deadline(sleeper);
  std::uint64_t span = next == kNever ? kNever : next > g.now_ns ? next - g.now_ns : 0;
  std::uint64_t begin = real_now_ns();
  bool over = wait_really(span);
  if (!over) return jump_to_timerfd(sleeper);
  std::uint64_t passed = real_now_ns() - begin;
  if (next != kNever) advance_clock(g.now_ns + (passed < span ? passed : span));
  wake_over();
  return true;
}

bool await_children(Fiber* sleeper) {
  // Who waits for something outside has waited for signals, too.
  if (children_alive == 0 || g.cares.io_waiting > 0 || !catches_signals()) return false;
  std::uint64_t begin = real_now_ns();
  std::uint64_t next = next_deadline(sleeper);
  std::uint64_t span = next == kNever ? kNever : next > g.now_ns ? next - g.now_ns : 0;
  std::uint64_t passed = 0;
  polled.count = 0;
  while (g.cares.outside_signals == 0 && passed < span && any_child_runs()) {
    std::uint64_t left = span - passed < kTickNs ? span - passed : kTickNs;
    timespec tick{0, static_cast<long>(left)};
    poll_unless_signalled(&tick);
    passed = real_now_ns() - begin;
  }
  if (g.cares.outside_signals == 0) return false;
  if (next != kNever) advance_clock(g.now_ns + (passed < span ? passed : span));
  return true;
}

bool pause_for_children(Fiber* sleeper) {
  if (children_alive == 0 || !any_child_runs()) return false;
  std::uint64_t begin = real_now_ns();
  real_sleep(kTickNs / 4);
  if (next_deadline(sleeper) != kNever) advance_clock(g.now_ns + (real_now_ns() - begin));
  if (g.cares.timers > 0) fire_due_timers();
  return true;
}

bool pause_for_outside(Fiber* sleeper) {
  if (!something_outside()) return jump_to_timerfd(sleeper);
  std::uint64_t next = next_deadline(sleeper);
  std::uint64_t begin = real_now_ns();
  wait_really(kTickNs);
  wake_over();
  if (next != kNever) g.now_ns += real_now_ns() - begin;
  fire_due_timerfds();
  if (g.cares.timers > 0) fire_due_timers();
  return true;
}

}  // namespace raddle::runtime
