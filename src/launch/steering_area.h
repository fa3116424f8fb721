// SPDX-License-Identifier: Apache-2.0
//
// The steering of a plan on its way into the shared memory, and what a batch of runs in place has
// made of it. Engine side.
#pragma once

#include "facts/steering.h"
#include "launch/shared_memory.h"

namespace raddle::launch {

// An error if there are more rows than a run of --max-steps can make choices; nothing is written
// then.
Status write_steering(const facts::Steering& steering, SharedMemory& memory);

// The path that the last run of an enumeration left (wire::Batch::enumerate).
facts::Ranks read_ranks(const SharedMemory& memory);

}  // namespace raddle::launch
