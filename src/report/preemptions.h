// SPDX-License-Identifier: Apache-2.0
//
// Where in an event stream threads were interrupted although they could have gone on. Engine side;
// pure. Events do not say who was enabled, so it is worked out from what the interrupted thread did
// next and from who held what; in doubt (condvars, semaphores, futexes) a switch counts as forced.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "wire/event.h"

namespace raddle::report {

// For every event the thread that was preempted just before it, or kNoThread. `stuck` are the
// threads that are blocked when the run ends.
std::vector<ThreadId> preempted_before(std::span<const wire::Event> events,
                                       const std::set<ThreadId>& stuck);

}  // namespace raddle::report
