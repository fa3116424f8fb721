// SPDX-License-Identifier: Apache-2.0
//
// See request.h. Engine side.
#include "session/request.h"

namespace raddle::session {
launch::ExecutorOptions executor_options(const Request& request) {
  launch::ExecutorOptions executor;
  executor.max_steps = request.plan.max_steps;
  executor.run_timeout = request.run_timeout;
  executor.output_on_disk = !request.surroundings.check.empty();
  // What --before has made ready is for a program that starts after it.
  if (!request.surroundings.before.empty()) executor.checkpoints = launch::CheckpointUse::off;
  executor.twice = request.surroundings.before.empty();
  executor.interrupts = request.campaign.interrupts;
  return executor;
}

}  // namespace raddle::session
