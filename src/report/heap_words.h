// SPDX-License-Identifier: Apache-2.0
//
// Heap errors in words: what was touched, whose it was, who allocated and who freed it. Engine
// side.
#pragma once

#include <string>

#include "report/describe.h"

namespace raddle::report {

// Requires: the run's verdict is a heap error.
std::string heap_message(const RunContext& context, const facts::Finding& finding);

}  // namespace raddle::report
