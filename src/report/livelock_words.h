// SPDX-License-Identifier: Apache-2.0
//
// A livelock in words: who repeats what. Engine side.
#pragma once

#include "report/describe.h"

namespace raddle::report {

// The events are those of one round (analysis/livelock.h).
void describe_livelock(const RunContext& context, const facts::Evidence& evidence,
                       facts::Finding& finding);

}  // namespace raddle::report
