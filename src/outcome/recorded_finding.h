// SPDX-License-Identifier: Apache-2.0
//
// What the schedule of a kept finding is about, looked for in a run that follows it. Engine side;
// what the command line and unit tests have in common.
#pragma once

#include "campaign/trial.h"
#include "facts/schedule.h"
#include "report/names.h"

namespace raddle::outcome {

// Before the run: whoever follows this schedule looks for what it is about.
void look_for_recorded(campaign::Trials& trials, const facts::Schedule& schedule);

// Races and warnings leave the run as it was: they become the trial's finding if they are what was
// recorded.
void prefer_recorded(campaign::Trial& trial, const facts::Schedule& schedule,
                     const std::string& error_output, report::Names& names);

}  // namespace raddle::outcome
