// SPDX-License-Identifier: Apache-2.0
//
// ForkExecutor: the program is started once and stops at main; its runtime then forks a child for
// every plan. Engine side. A run costs the engine a write, a poll and a read.
#pragma once

#include "launch/run_area.h"

namespace raddle::launch {

class ForkExecutor : public Executor {
 public:
  // Starts the program and waits until its server is ready. `refused_fork` is set when the runtime
  // says that it cannot serve by forking but could carry out a single run.
  static Result<std::unique_ptr<ForkExecutor>> start(const Program& program,
                                                     const ExecutorOptions& options,
                                                     bool& refused_fork);
  ~ForkExecutor() override;

  Result<facts::Run> run(const facts::Plan& plan) override;
  Status begin(const facts::Plan& plan) override;
  Result<facts::Run> finish() override;
  int end_descriptor() const override { return reply_.get(); }
  std::chrono::milliseconds attend() override;
  std::span<const wire::Module> modules() const override { return area_.modules(); }
  std::string output() const override { return area_.output().text(); }
  std::string error_output() const override { return area_.error_output().text(); }
  bool binds_now() const override { return true; }
  std::string output_path() const override { return area_.output().path(); }

 private:
  ForkExecutor(const Program& program, const ExecutorOptions& options, RunArea area,
               TargetProcess server, UniqueFd command, UniqueFd reply);
  Status await_ready(bool& refused_fork);
  Status send(wire::Command command);
  Result<wire::Reply> read_reply();
  pid_t find_run() const;
  Error server_lost();

  Program program_;
  ExecutorOptions options_;
  RunArea area_;
  TargetProcess server_;
  UniqueFd command_;
  UniqueFd reply_;
  std::chrono::steady_clock::time_point begin_;  // of the run
};

}  // namespace raddle::launch
