// SPDX-License-Identifier: Apache-2.0
//
// The numbers that name things in one run, and their limits. Both sides.
#pragma once

#include <cstdint>

namespace raddle {

// A thread of the program under test, in order of creation; 0 is the initial thread. Ids are never
// used again within a run, so an id names one thread for good.
using ThreadId = std::uint16_t;
inline constexpr ThreadId kMaxThreads = 16384;
inline constexpr ThreadId kNoThread = 0xffff;

// A static code location: every module of the program owns a range of this space (wire::Module),
// so that a site is stable across runs and address randomisation. 0 is "unknown".
using SiteId = std::uint32_t;

// The number of steps carried out so far.
using StepIndex = std::uint32_t;

}  // namespace raddle
