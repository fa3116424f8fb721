// SPDX-License-Identifier: Apache-2.0
//
// GdbExecutor: a run below gdb, at the user's pace. Engine side. gdb starts the program by way of
// raddle itself (start_below_debugger), which makes it what every other run is: same environment,
// descriptors and addresses. launch/raddle_gdb.py, which gdb loads, asks for that, and tells how
// the process ended. The user may run the program again and again; the last run counts.
#pragma once

#include <functional>
#include <optional>

#include "launch/run_area.h"

namespace raddle::launch {

struct GdbOptions {
  std::vector<std::string> arguments;    // for gdb
  std::function<Status()> before_again;  // called before every run but the first
};

class GdbExecutor : public Executor {
 public:
  // Fails if there is no gdb.
  static Result<std::unique_ptr<GdbExecutor>> create(const Program& program,
                                                     const ExecutorOptions& options,
                                                     GdbOptions gdb);

  // As the executor does that this one stands in for.
  void bind_now(bool wanted) { bind_now_ = wanted; }

  // Returns when the user has left gdb: with an error of exit code 0 if that was in the middle of
  // the run. options.run_timeout does not apply.
  Result<facts::Run> run(const facts::Plan& plan) override;
  std::span<const wire::Module> modules() const override { return area_.modules(); }
  std::string suppressions() const override { return area_.suppressions(); }
  std::string printed(Stream stream) const override { return area_.printed(stream); }
  std::string output_path() const override { return area_.output().path(); }

 private:
  GdbExecutor(const Program& program, const ExecutorOptions& options, GdbOptions gdb, RunArea area,
              UniqueFd idle)
      : program_(program),
        options_(options),
        gdb_(std::move(gdb)),
        area_(std::move(area)),
        idle_(std::move(idle)) {}

  Status converse(pid_t gdb, const facts::Plan& plan);
  void hear(const facts::Plan& plan);
  Status prepare(const facts::Plan& plan);

  Program program_;
  ExecutorOptions options_;
  GdbOptions gdb_;
  RunArea area_;
  UniqueFd idle_;     // stands in for both pipes, which a single run does not use
  UniqueFd channel_;  // to gdb and to the process that becomes the program
  bool bind_now_ = false;
  int starts_ = 0;
  std::optional<int> wait_status_;  // of the last run
};

// What gdb runs in the program's place: waits for the engine's word, then becomes the program.
// Returns only if that failed.
Error start_below_debugger(int record_fd, int channel_fd);

}  // namespace raddle::launch
