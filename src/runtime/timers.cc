// SPDX-License-Identifier: Apache-2.0
//
// Virtual time. Target side. The clock stands still while threads run, except that every reading
// advances it: by a microsecond, and faster while a thread does nothing but read it, so that
// polling loops end soon. Readings are monotone over all threads.
#include "runtime/timers.h"

#include "runtime/controller.h"

namespace raddle::runtime {
namespace {

ThreadId waiting[kMaxThreads];  // threads with a deadline, in no particular order
StepIndex last_read_step;
std::uint32_t reads_in_a_row;

}  // namespace

void reset_time() {
  g.now_ns = 0;
  g.cares.timers = 0;
  last_read_step = 0;
  reads_in_a_row = 0;
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
  for (std::uint32_t i = 0; i < g.cares.timers; ++i) {
    Fiber& fiber = g.fibers[waiting[i]];
    if (fiber.timed_out || fiber.signalled) continue;
    bool sooner = best == nullptr || fiber.deadline_ns < best->deadline_ns ||
                  (fiber.deadline_ns == best->deadline_ns && fiber.id < best->id);
    if (sooner) best = &fiber;
  }
  return best;
}

void fire_timer(Fiber& fiber) {
  if (fiber.deadline_ns > g.now_ns) g.now_ns = fiber.deadline_ns;
  expire(fiber);
}

void fire_due_timers() {
  for (Fiber* next = earliest_timer(); next != nullptr && next->deadline_ns <= g.now_ns;
       next = earliest_timer())
    fire_timer(*next);
}

std::uint64_t read_clock_ns() {
  reads_in_a_row = g.step == last_read_step ? reads_in_a_row + 1 : 0;
  last_read_step = g.step;
  std::uint32_t doublings = reads_in_a_row / 16;
  g.now_ns += std::uint64_t{1000} << (doublings < 10 ? doublings : 10);
  return g.now_ns;
}

}  // namespace raddle::runtime
