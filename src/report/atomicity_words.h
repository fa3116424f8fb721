// SPDX-License-Identifier: Apache-2.0
//
// Atomicity violations in words: what a thread did twice, who came between, and what that broke.
// Engine side.
#pragma once

#include "report/describe.h"

namespace raddle::report {

// "case 6, a write based on a value that is no longer there": what is broken when P and I of one
// thread are interleaved with the remote access (analysis/avio.h).
std::string broken_atomicity(const wire::Event& p, const wire::Event& remote, const wire::Event& i);

// Fills in message, site, variable and threads, which are the three accesses in their order.
// Requires: the events of the evidence are P, the remote access and I.
void describe_atomicity(const RunContext& context, const facts::Evidence& violation,
                        facts::Finding& finding);

}  // namespace raddle::report
