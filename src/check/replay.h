// SPDX-License-Identifier: Apache-2.0
//
// RADDLE_REPLAY: a unit test along a recorded schedule. Engine side, in the program's process.
#pragma once

#include "campaign/trial.h"
#include "check/in_process_executor.h"
#include "check/settings.h"
#include "check/test_reporter.h"

namespace raddle::check {

// Repeats the recorded run and tells the reporter what came of it. Returns the number of runs: 0 if
// the schedule is of another test of the program.
Result<std::uint64_t> replay(const raddle_check_request& request, const Settings& settings,
                             InProcessExecutor& executor, campaign::Trials& trials,
                             TestReporter& reporter);

}  // namespace raddle::check
