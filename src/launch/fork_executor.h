// SPDX-License-Identifier: Apache-2.0
//
// ForkExecutor: the program is started once and stops at main; its runtime then forks a child for
// every plan, or keeps one that makes run after run (residence.h). Engine side. A run costs the
// engine a write, a poll and a read. Where getting to the choices takes long, runs are forked from
// checkpoints instead.
#pragma once

#include "launch/checkpoints.h"
#include "launch/residence.h"
#include "launch/run_area.h"

namespace raddle::launch {

class ForkExecutor : public Executor, public Overlapping, public Residing {
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
  int end_descriptor() const override;
  std::chrono::milliseconds attend() override;
  // From main: it is asked whether that leads to the same.
  Result<facts::Run> repeat(const facts::Plan& plan) override;
  std::span<const wire::Module> modules() const override { return area_.modules(); }
  std::string suppressions() const override { return area_.suppressions(); }
  std::string printed(Stream stream) const override { return area_.printed(stream); }
  bool binds_now() const override { return true; }
  std::string output_path() const override { return area_.output().path(); }
  const std::string& forked_because() const override { return residence_.given_up(); }

 private:
  ForkExecutor(const Program& program, const ExecutorOptions& options, RunArea area,
               TargetProcess server, UniqueFd command, UniqueFd reply);
  Status await_ready(bool& refused_fork);
  Status begin_from_main();
  Status begin_one(const facts::Plan& plan, bool alone);
  // False: it is to be made by a fork.
  bool begin_resident(bool alone);
  bool take_up_residence();
  // The server's answer to the command, or that of the checkpoint that the run goes on from.
  Result<wire::Reply> ask_host(wire::Command command, bool& timed_out);
  pid_t host() const { return from_ != nullptr ? from_->process : server_.pid(); }
  Result<facts::Run> finish_resident();
  Result<facts::Run> finish_without_answer(bool timed_out);
  Result<facts::Run> run_from_main();
  Result<facts::Run> make_again(const facts::Run& resident);
  Result<facts::Run> finish_from_main();
  // No value: the checkpoint is no longer there, or cannot serve this plan.
  Result<std::optional<facts::Run>> finish_from_checkpoint();
  // An error unless the run has come to an end.
  Result<bool> await_run(int fd, pid_t parent);
  void note_start();
  Status send(wire::Command command);
  Result<wire::Reply> read_reply();
  pid_t find_run(pid_t parent) const;
  Error server_lost();

  Program program_;
  ExecutorOptions options_;
  RunArea area_;
  TargetProcess server_;
  UniqueFd command_;
  UniqueFd reply_;
  Checkpoints checkpoints_;
  Residence residence_;
  // Of the run that has begun.
  facts::Plan plan_;
  Checkpoint* from_ = nullptr;  // null: from main
  bool in_residence_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::uint64_t sent_ns_ = 0;
};

}  // namespace raddle::launch
