// SPDX-License-Identifier: Apache-2.0
//
// Virtual time. Target side. The clock stands still while threads run, except that every reading
// advances it: by a microsecond, and faster while a thread does nothing but read it, so that
// polling loops end soon. Readings are monotone over all threads.
#include "runtime/timers.h"

#include "runtime/controller.h"
#include "runtime/program_timers.h"
#include "runtime/spin.h"

namespace raddle::runtime {
namespace {

ThreadId waiting[kMaxThreads];  // threads with a deadline, in no particular order
StepIndex last_read_step;
std::uint32_t reads_in_a_row;

// More than programs need that only tell what happened when.
constexpr std::uint32_t kPollingReads = 100;

constexpr std::uint64_t kShortStepNs = 1'000'000, kLongStepNs = 1'000'000'000;
std::uint64_t polled_step_ns;
std::uint32_t polled_era;  // after the last step

// A run that takes long takes time, if nobody waits for less than a sleep: threads may work until
// another one has slept. A step beyond the first ones stands for so much of it.
constexpr StepIndex kQuickSteps = 10'000;
constexpr std::uint64_t kStepNs = 20'000;

bool has_slept_long(const Fiber& sleeper) {
  const model::ThreadView& view = view_of(sleeper);
  StepIndex steps = g.step - view.last_run;
  if (steps <= kQuickSteps || view.op.kind != OpKind::sleep) return false;
  return (steps - kQuickSteps) * kStepNs >= sleeper.deadline_ns - g.now_ns;
}

}  // namespace

void reset_time() {
  g.now_ns = 0;
  g.cares.timers = 0;
  g.news = g.era = 0;
  g.clock_polled = false;
  last_read_step = 0;
  reads_in_a_row = 0;
  polled_step_ns = polled_era = 0;
}

void start_timer(Fiber& fiber, std::uint64_t deadline_ns) {
  if (deadline_ns <= g.now_ns) {
    fiber.timed_out = true;
    return;
  }
  fiber.deadline_ns = deadline_ns;
  waiting[g.cares.timers++] = fiber.id;
}

void stop_timer(Fiber& fiber) {
  fiber.deadline_ns = 0;
  for (std::uint32_t i = 0; i < g.cares.timers; ++i)
    if (waiting[i] == fiber.id) {
      waiting[i] = waiting[--g.cares.timers];
      return;
    }
}

Fiber* earliest_timer() {
  Fiber* best = nullptr;
  bool idle = g.enabled.empty();
  for (std::uint32_t i = 0; i < g.cares.timers; ++i) {
    Fiber& fiber = g.fibers[waiting[i]];
    if (fiber.timed_out || fiber.signalled || (idle && fiber.on_cpu_time)) continue;
    bool sooner = best == nullptr || fiber.deadline_ns < best->deadline_ns ||
                  (fiber.deadline_ns == best->deadline_ns && fiber.id < best->id);
    if (sooner) best = &fiber;
  }
  return best;
}

void advance_clock(std::uint64_t to_ns) {
  if (to_ns <= g.now_ns) return;
  if (g.enabled.empty()) hold_cpu_timers(to_ns - g.now_ns);
  g.now_ns = to_ns;
}

void fire_timer(Fiber& fiber) {
  advance_clock(fiber.deadline_ns);
  begin_era();
  expire(fiber);
}

void fire_due_timers() {
  for (Fiber* next = earliest_timer(); next != nullptr; next = earliest_timer()) {
    if (next->deadline_ns > g.now_ns && !has_slept_long(*next)) return;
    fire_timer(*next);
  }
}

std::uint64_t read_clock_ns() {
  reads_in_a_row = g.step == last_read_step ? reads_in_a_row + 1 : 0;
  last_read_step = g.step;
  std::uint32_t doublings = reads_in_a_row / 16;
  g.now_ns += std::uint64_t{1000} << (doublings < 10 ? doublings : 10);
  if (running() && ++g.current->clock_reads > kPollingReads) {
    g.clock_polled = true;
    mark_yielding();
  }
  return g.now_ns;
}

void advance_polled_clock() {
  bool again = polled_era == g.era && polled_step_ns != 0;
  polled_step_ns = again ? polled_step_ns * 2 : kShortStepNs;
  if (polled_step_ns > kLongStepNs) polled_step_ns = kLongStepNs;
  advance_clock(g.now_ns + polled_step_ns);
  g.clock_polled = false;
  begin_era();
  polled_era = g.era;
}

}  // namespace raddle::runtime
