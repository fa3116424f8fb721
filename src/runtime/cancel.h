// SPDX-License-Identifier: Apache-2.0
//
// Cancellation of threads, deferred type. Target side. A cancelled thread ends at its next
// cancellation point, as if it called pthread_exit(PTHREAD_CANCELED) there.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

inline bool cancel_due(const Fiber& fiber) {
  return __builtin_expect(fiber.cancel_requested && !fiber.cancel_disabled, 0);
}

// Ends the current thread: runs its cleanup handlers and destructors, never returns.
[[noreturn]] void end_by_cancel();

// The current thread is at a cancellation point.
inline void act_on_cancel() {
  if (cancel_due(*g.current)) end_by_cancel();
}

}  // namespace raddle::runtime
