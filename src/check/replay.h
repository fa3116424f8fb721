// SPDX-License-Identifier: Apache-2.0
//
// RADDLE_REPLAY: a unit test along a recorded schedule. Engine side, in the program's process.
#pragma once

#include "check/in_process_executor.h"
#include "check/settings.h"
#include "check/test_reporter.h"

namespace raddle::check {

// Repeats the recorded run and tells the reporter what came of it. Returns the number of runs: 0 if
// the schedule is of another test of the program.
Result<std::uint64_t> replay(const Settings& settings, InProcessExecutor& executor,
                             TestReporter& reporter);

}  // namespace raddle::check
