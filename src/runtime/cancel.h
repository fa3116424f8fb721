// SPDX-License-Identifier: Apache-2.0
//
// Cancellation of threads. Target side. A cancelled thread ends at its next cancellation point, as
// if it called pthread_exit(PTHREAD_CANCELED) there.
#pragma once

#include "runtime/locate.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

inline bool cancel_due(const Fiber& fiber) {
  return __builtin_expect(fiber.cancel_requested && !fiber.cancel_disabled, 0);
}

// Ends the current thread: runs its cleanup handlers and destructors, never returns. If this is
// what the thread's step is for, the step's event says so: a search has to know of it.
enum class StepEvent : std::uint8_t { made, missing };
[[noreturn]] void end_by_cancel(SiteId site, StepEvent event);

// The current thread is at a cancellation point, in a call made at `pc`. Requires: the mode is not
// off.
inline void act_on_cancel(std::uintptr_t pc) {
  if (cancel_due(*g.current)) end_by_cancel(site_of(pc), StepEvent::made);
}

// Whether some object of the program calls pthread_cancel.
extern bool cancels_possible;

// The same for a call that is no step otherwise: where threads may be cancelled it is one, since it
// matters whether the cancellation comes before it.
void pass_cancellation_point(std::uintptr_t pc);

// The same between a point that has been passed and the event of its step.
inline void act_on_cancel_in_step(std::uintptr_t pc) {
  if (cancel_due(*g.current)) end_by_cancel(site_of(pc), StepEvent::missing);
}

}  // namespace raddle::runtime

// The beginning of an interposed function that is a cancellation point of libc, in any mode.
#define RADDLE_CANCELLATION_POINT() \
  if (::raddle::runtime::running()) \
  ::raddle::runtime::pass_cancellation_point(RADDLE_PROGRAM_CALLER)
