// SPDX-License-Identifier: Apache-2.0
//
// Potential deadlocks in words: who holds what and wants what, and where. Engine side.
#pragma once

#include "report/describe.h"

namespace raddle::report {

// Fills in message, site and threads. Requires: the evidence is that of a cycle of locks
// (analysis/lock_order.h).
void describe_lock_cycle(const RunContext& context, const facts::Evidence& cycle,
                         facts::Finding& finding);

}  // namespace raddle::report
