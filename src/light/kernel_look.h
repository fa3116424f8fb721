// SPDX-License-Identifier: Apache-2.0
//
// What the kernel says a thread is doing, for waits that the light library does not see (blocking
// I/O, raw futexes) or that may have ended (a condition was signalled, but whose wait?). Inside the
// program under test (RADDLE_LIGHT).
//
// It is exact in one direction: a thread that was woken is no longer asleep when the call that woke
// it returns. A thread that is about to fall asleep looks awake.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace raddle::light {

struct Look {
  bool asleep = false;
  bool on_time = false;         // asleep for a time, not for somebody
  std::uintptr_t futex = 0;     // the address it waits at, if it waits at a futex
  std::uint64_t signature = 0;  // the same as long as the thread has not run
};

// 0 is the current thread's.
Look look_at(pid_t tid);

}  // namespace raddle::light
