// SPDX-License-Identifier: Apache-2.0
//
// What threads were doing when a run ended, in words. Engine side.
#pragma once

#include <string>
#include <vector>

#include "facts/finding.h"
#include "facts/run.h"
#include "report/names.h"

namespace raddle::report {

// All frames of a thread, innermost first, inlined ones included; files below `directory` relative
// to it.
std::vector<facts::Frame> stack_of(const wire::ThreadReport& thread, Names& names,
                                   const std::string& directory);

// What a blocked thread waits for: "`b`, held by T2", "T2 to end", "a notification of `cv`".
std::string awaited(const wire::ThreadReport& thread, Names& names);

// By thread; `failed` is the thread that ended the run.
std::vector<facts::ThreadSnapshot> snapshots(const facts::Run& run, ThreadId failed, Names& names,
                                             const std::string& directory);

}  // namespace raddle::report
