// SPDX-License-Identifier: Apache-2.0
//
// A data race in words: who did what where, holding which locks, and what is missing between the
// two. Engine side.
#pragma once

#include "report/describe.h"

namespace raddle::report {

// Message, site and the two threads of the finding. Requires: the evidence is a race.
void describe_race(const RunContext& context, const facts::Evidence& race, facts::Finding& finding);

}  // namespace raddle::report
