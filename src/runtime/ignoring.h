// SPDX-License-Identifier: Apache-2.0
//
// Stretches of a thread that the program asks the race detector not to look at. Target side. They
// nest, by counters of the thread.
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

// `by`: 1 or -1, for one of the ignored_ counters.
inline void ignore(std::uint16_t Fiber::*counter, int by) {
  if (off()) return;
  // The short ways do not ask for it: from here on the run takes the long ones.
  if (checks_quickly() || g.access_mode == AccessMode::alone) g.access_mode = AccessMode::check;
  std::uint16_t& count = g.current->*counter;
  if (by > 0)
    ++count;
  else if (count > 0)
    --count;
}

inline void ignore_all(int by) {
  ignore(&Fiber::ignored_reads, by);
  ignore(&Fiber::ignored_writes, by);
  ignore(&Fiber::ignored_sync, by);
}

}  // namespace raddle::runtime
