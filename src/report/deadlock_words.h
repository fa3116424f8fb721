// SPDX-License-Identifier: Apache-2.0
//
// The sentence that explains a deadlock. Engine side.
#pragma once

#include <string>

#include "facts/run.h"
#include "report/names.h"

namespace raddle::report {

// Requires: the run ended with a deadlock.
// "T1 waits for `b` (bank.cpp:14), held by T2 since bank.cpp:9; T2 waits for ..."
std::string deadlock_message(const facts::Run& run, Names& names);

}  // namespace raddle::report
