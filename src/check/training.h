// SPDX-License-Identifier: Apache-2.0
//
// RADDLE_LEARN: a unit test is not judged, but learned from. Engine side, in the program's process.
#pragma once

#include "check/in_process_executor.h"
#include "check/test_reporter.h"
#include "session/training.h"

namespace raddle::check {

// Makes runs and keeps what the good ones teach. It is an error if all of them fail.
Result<outcome::Learned> learn(const session::Request& request, InProcessExecutor& executor,
                               TestReporter& reporter);

}  // namespace raddle::check
