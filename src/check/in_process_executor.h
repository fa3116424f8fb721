// SPDX-License-Identifier: Apache-2.0
//
// InProcessExecutor: the body of a unit test, repeated in the process that we are loaded into.
// Engine side, in the program's process; the loop itself is runtime/in_process.cc.
//
// Runs are made in place: what the body captured by reference sees all of them. A run that is
// repeated (to confirm a finding, to record what led to it) is made in a child process, forked from
// a server that was itself forked before the runs: it cannot hurt the test program, and starts from
// what the runs in place started from. The server is forked twice: before the first run, and again
// after it, since first runs initialise what later ones find initialised. Global variables are put
// back after each run, if that is asked for (restorer.h).
#pragma once

#include <time.h>

#include <optional>

#include "check/leftovers.h"
#include "check/restorer.h"
#include "launch/run_area.h"
#include "launch/unique_fd.h"
#include "wire/batch.h"

namespace raddle::check {

class InProcessExecutor : public launch::Executor, public launch::InPlace {
 public:
  // Fails with kExitCannotRun if the process has other threads, or is not ours to control.
  // `restore`: global variables are put back after each run.
  static Result<std::unique_ptr<InProcessExecutor>> create(const wire::Body& body,
                                                           const launch::ExecutorOptions& options,
                                                           bool restore);
  ~InProcessExecutor() override;
  InProcessExecutor(const InProcessExecutor&) = delete;
  InProcessExecutor& operator=(const InProcessExecutor&) = delete;

  Result<facts::Run> run(const facts::Plan& plan) override;
  Result<facts::Run> repeat(const facts::Plan& plan) override;
  Result<facts::Run> run_batch(facts::Batch& batch) override;

  std::span<const wire::Module> modules() const override { return area_.modules(); }
  std::string suppressions() const override { return area_.suppressions(); }
  std::string printed(launch::Stream stream) const override { return area_.printed(stream); }
  std::string output_path() const override { return area_.output().path(); }

  // What the runs in place have left behind so far. Sampled: after runs with events, not after
  // those of a batch.
  const Leftovers& leftovers() const { return leftovers_; }
  // After the last run, which may have been one of a batch.
  void look_for_leftovers();
  // After a run that could not be repeated.
  void look_for_changes() { leftovers_.look_at_globals(); }

  // Why global variables were not put back although runs have changed some; else "".
  std::string restore_note() const {
    return restorer_ && !leftovers_.globals().empty() ? restorer_->note() : "";
  }

  // From now on repetitions start from the state of this moment.
  Status renew_server();

 private:
  InProcessExecutor(const wire::Body& body, const launch::ExecutorOptions& options,
                    launch::RunArea area);
  Status warm_up();
  Result<facts::Run> collect_in_place();
  void serve(int commands, int replies);
  void stop_server();
  void watch(bool on);

  wire::Body body_;
  launch::ExecutorOptions options_;
  launch::RunArea area_;
  pid_t server_ = -1;
  launch::UniqueFd command_, reply_;
  std::optional<timer_t> timer_;  // the first of a process is 0
  unsigned runs_in_place_ = 0;    // or batches
  bool ended_well_ = false;       // the last of them
  Leftovers leftovers_;
  std::unique_ptr<Restorer> restorer_;
};

}  // namespace raddle::check
