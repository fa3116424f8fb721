// SPDX-License-Identifier: Apache-2.0
//
// Data that no lock protects consistently, in words: what, where it is accessed, and which locks
// are held there. Engine side.
#pragma once

#include "report/describe.h"

namespace raddle::report {

// Fills in message, variable, site and threads. Requires: the evidence is that of Locksets
// (analysis/locksets.h).
void describe_lockset(const RunContext& context, const facts::Evidence& evidence,
                      facts::Finding& finding);

}  // namespace raddle::report
