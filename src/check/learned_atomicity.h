// SPDX-License-Identifier: Apache-2.0
//
// What belongs together in a unit test: learned from its runs (RADDLE_LEARN), and what was learned
// of the program recalled from the memo. Engine side, in the program's process.
#pragma once

#include <memory>

#include "check/in_process_executor.h"
#include "check/settings.h"
#include "check/test_reporter.h"
#include "outcome/known_invariants.h"
#include "outcome/learning.h"

namespace raddle::check {

// The invariants by which runs are to be judged: null if nothing was learned, or nobody wants to
// know. What is passed has to stay as long.
Result<std::unique_ptr<outcome::KnownInvariants>> recall_invariants(const Settings& settings,
                                                                    const launch::Program& program,
                                                                    InProcessExecutor& executor,
                                                                    TestReporter& reporter);

// Makes runs and keeps what the good ones teach. It is an error if all of them fail.
Result<outcome::Learned> learn(const Settings& settings, const launch::Program& program,
                               campaign::Trials& trials, TestReporter& reporter);

}  // namespace raddle::check
