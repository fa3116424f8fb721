// SPDX-License-Identifier: Apache-2.0
//
// From a run to the schedule that repeats it, and back to a plan. Engine side.
#pragma once

#include <span>

#include "base/result.h"
#include "facts/finding.h"
#include "facts/run.h"
#include "facts/schedule.h"
#include "launch/program.h"

namespace raddle::campaign {

// What surrounds the runs of a campaign and has to be the same when one is repeated.
struct Surroundings {
  std::string before;  // --before
  std::string check;   // --check
  int expect_exit = 0;
};

// Everything but what happened (kind, message). Sites that belong to no known module are left out.
facts::Schedule record(const launch::Program& program, const Surroundings& surroundings,
                       const facts::Plan& plan, const facts::Run& run,
                       std::span<const wire::Module> modules);

// The plan that repeats a run exactly, or ends in a divergence. Both record call stacks.
facts::Plan strict_plan(const facts::Plan& plan, std::span<const wire::ChoiceRecord> choices);

// The same from a schedule. `unknown_sites` counts the sites whose module is not loaded: points
// would be missing there.
facts::Plan strict_plan(const facts::Schedule& schedule, std::span<const wire::Module> modules,
                        std::size_t& unknown_sites);

}  // namespace raddle::campaign
