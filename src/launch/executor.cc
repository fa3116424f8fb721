// SPDX-License-Identifier: Apache-2.0
//
// Choosing the tier. Engine side.
#include "launch/executor.h"

#include <fmt/core.h>
#include <poll.h>
#include <stdlib.h>

#include <algorithm>
#include <string_view>
#include <vector>

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

std::size_t wait_for_any(std::span<Overlapping* const> executors) {
  std::vector<pollfd> ends;
  for (const Overlapping* each : executors)
    ends.push_back({each == nullptr ? -1 : each->end_descriptor(), POLLIN, 0});
  std::chrono::milliseconds patience{0};
  while (true) {
    poll(ends.data(), ends.size(), static_cast<int>(patience.count()));
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (ends[i].fd < 0 || ends[i].revents != 0) return i;
    patience = std::chrono::milliseconds(1000);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      std::chrono::milliseconds enough = executors[i]->attend();
      if (enough.count() == 0) return i;
      patience = std::min(patience, enough);
    }
  }
}

Result<std::unique_ptr<Executor>> start_executor(const Program& program,
                                                 const ExecutorOptions& options) {
  const char* variable = getenv("RADDLE_EXECUTOR");
  std::string_view wanted = variable != nullptr ? variable : "auto";
  if (wanted == "exec") return fresh_processes(program, options);
  if (wanted != "auto" && wanted != "fork" && wanted != "resident")
    return Error{
        fmt::format("RADDLE_EXECUTOR is `{}`; it can be auto, resident, fork or exec", wanted),
        kExitUsage};
  auto use = checkpoint_use(options.checkpoints);
  if (!use) return use.error();
  ExecutorOptions for_forks = options;
  for_forks.checkpoints = *use;
  if (wanted == "auto") for_forks.resident = ResidentUse::measured;
  if (wanted == "resident") for_forks.resident = ResidentUse::forced;
  bool refused_fork = false;
  auto executor = ForkExecutor::start(program, for_forks, refused_fork);
  if (executor) return std::unique_ptr<Executor>(std::move(*executor));
  if (refused_fork) return fresh_processes(program, options);
  return executor.error();
}

}  // namespace raddle::launch
