// SPDX-License-Identifier: Apache-2.0
//
// Time limits of waits on one clock. Inside the program under test (RADDLE_LIGHT).
#pragma once

#include <time.h>

#include "light/threads.h"

namespace raddle::light {

inline std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * std::int64_t{1000000000} + time.tv_nsec;
}

// A time on `clock` as one of CLOCK_MONOTONIC. Never 0, which stands for no limit.
inline std::int64_t deadline_at(const timespec* time, clockid_t clock) {
  timespec now{};
  if (time == nullptr || clock_gettime(clock, &now) != 0) return 1;  // libc will refuse it
  const std::int64_t deadline = now_ns() + nanoseconds(*time) - nanoseconds(now);
  return deadline > 0 ? deadline : 1;
}

}  // namespace raddle::light
