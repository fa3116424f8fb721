// SPDX-License-Identifier: Apache-2.0
//
// Choosing the tier. Engine side.
#include "launch/executor.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <string_view>

#include "base/check.h"
#include "launch/exec_executor.h"
#include "launch/fork_executor.h"

namespace raddle::launch {
namespace {

Result<std::unique_ptr<Executor>> fresh_processes(const Program& program,
                                                  const ExecutorOptions& options) {
  auto executor = ExecExecutor::create(program, options);
  if (!executor) return executor.error();
  return std::unique_ptr<Executor>(std::move(*executor));
}

Result<CheckpointUse> checkpoint_use(CheckpointUse from_options) {
  const char* variable = getenv("RADDLE_CHECKPOINTS");
  std::string_view wanted = variable != nullptr ? variable : "auto";
  if (wanted != "auto" && wanted != "off" && wanted != "force")
    return Error{fmt::format("RADDLE_CHECKPOINTS is `{}`; it can be auto, off or force", wanted),
                 kExitUsage};
  if (from_options != CheckpointUse::measured || wanted == "auto") return from_options;
  return wanted == "off" ? CheckpointUse::off : CheckpointUse::forced;
}

}  // namespace

Result<facts::Run> Executor::run_batch(facts::Batch&) {
  RADDLE_CHECK(makes_batches());
  __builtin_unreachable();
}

Result<std::unique_ptr<Executor>> start_executor(const Program& program,
                                                 const ExecutorOptions& options) {
  const char* variable = getenv("RADDLE_EXECUTOR");
  std::string_view wanted = variable != nullptr ? variable : "fork";
  if (wanted == "exec") return fresh_processes(program, options);
  if (wanted != "fork")
    return Error{fmt::format("RADDLE_EXECUTOR is `{}`; it can be fork or exec", wanted),
                 kExitUsage};
  auto use = checkpoint_use(options.checkpoints);
  if (!use) return use.error();
  ExecutorOptions for_forks = options;
  for_forks.checkpoints = *use;
  bool refused_fork = false;
  auto executor = ForkExecutor::start(program, for_forks, refused_fork);
  if (executor) return std::unique_ptr<Executor>(std::move(*executor));
  if (refused_fork) return fresh_processes(program, options);
  return executor.error();
}

}  // namespace raddle::launch
