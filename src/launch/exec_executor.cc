// SPDX-License-Identifier: Apache-2.0
//
// A process a run. Engine side.
#include "launch/exec_executor.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>

#include "launch/watchdog.h"

namespace raddle::launch {

Result<std::unique_ptr<ExecExecutor>> ExecExecutor::create(const Program& program,
                                                           const ExecutorOptions& options) {
  auto area = RunArea::create(options, wire::Tier::single_run);
  if (!area) return area.error();
  UniqueFd idle(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!idle.valid())
    return Error{fmt::format("cannot open /dev/null: {}", strerror(errno)), kExitCannotRun};
  return std::unique_ptr<ExecExecutor>(
      new ExecExecutor(program, options, std::move(*area), std::move(idle)));
}

Result<facts::Run> ExecExecutor::run(const facts::Plan& plan) {
  area_.memory().forget_target();
  if (auto status = area_.prepare(plan); !status) return status.error();
  SpawnFiles files;
  files.shared = area_.memory().fd();
  files.command = files.reply = idle_.get();
  files.output = area_.output().fd();
  files.error = area_.error_output().fd();
  auto process = TargetProcess::spawn(program_, files);
  if (!process) return process.error();
  WaitEnd end = await_end(area_, process->pidfd(), options_, [&process] { return process->pid(); });
  if (end == WaitEnd::interrupted) return Error{"interrupted", kExitInterrupted};
  auto status = process->ended();
  if (end == WaitEnd::stuck || !status)
    return Error{fmt::format("a run of {} took longer than --run-timeout and could not be ended",
                             program_.argv[0]),
                 kExitCannotRun};
  if (area_.stage() != wire::TargetStage::ready)
    return failed_before_main(program_, area_, *status);
  return area_.collect(*status, end == WaitEnd::timed_out);
}

}  // namespace raddle::launch
