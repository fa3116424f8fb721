// SPDX-License-Identifier: Apache-2.0
//
// The number of Mazurkiewicz traces of a small program: maximal executions, where those that differ
// only in the order of neighbouring independent steps of different threads count as one. Tests
// only.
//
// Dependent are accesses to a common byte of which one writes (a compare_exchange always does);
// operations on one mutex, condition variable (the return from a wait is one), semaphore or
// barrier; on one rwlock unless both are for reading; a free and whatever is in the block; and the
// steps that begin to end the process. Creating, joining and waking order, but there is no other
// way round.
#pragma once

#include <cstdint>

#include "oracle/machine.h"

namespace raddle::oracle {

struct Traces {
  std::uint64_t count = 0;
  std::size_t prefixes = 0;
  bool cut = false;  // there are more prefixes of traces than allowed
  // Two executions of one prefix of a trace led to different states: the dependence above, or the
  // machine, is wrong.
  bool broken = false;
};

Traces count_traces(const Program& program, std::size_t prefixes_max);

}  // namespace raddle::oracle
