// SPDX-License-Identifier: Apache-2.0
//
// What happens when a run has made so many steps. Target side. g.max_steps is the next step at
// which somebody has to look: the last one of the plan, or an earlier one.
//
// A thread that could have run for kStarvedSteps and was not let gets its turn: the others give way
// to it. Strategies with priorities and those that avoid preemptions starve threads for ever where
// others work until they are told to stop. Shorter waits are left to the strategy.
#pragma once

#include "base/ids.h"

namespace raddle::runtime {

inline constexpr StepIndex kStarvedSteps = 10'000;

// A run begins.
void prepare_step_limit();

// The run has come to g.max_steps: whether it goes on. Requires: the current thread is at a point.
bool pass_step_limit();

}  // namespace raddle::runtime
