// SPDX-License-Identifier: Apache-2.0
//
// Waits for the end of a run: keeps the event ring from filling up, ends the run when its time is
// over, and gives up waiting when the user does. Engine side; common to all tiers that run the
// program in another process.
#pragma once

#include <sys/types.h>

#include <functional>

#include "launch/run_area.h"

namespace raddle::launch {

enum class WaitEnd {
  ended,        // the descriptor became readable by itself
  timed_out,    // it did after the watchdog had stepped in
  interrupted,  // the user does not want to wait: the run still lasts
  stuck,        // the process to end could not be found or did not end
};

// `fd` becomes readable at the end of the run. `find_process` names the process to signal, 0 if
// there is none; it is asked only when the watchdog steps in. The run has begun at `begin`.
WaitEnd await_end(RunArea& area, int fd, const ExecutorOptions& options,
                  const std::function<pid_t()>& find_process,
                  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now());

bool interrupted(const ExecutorOptions& options);

}  // namespace raddle::launch
