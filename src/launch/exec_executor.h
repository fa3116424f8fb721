// SPDX-License-Identifier: Apache-2.0
//
// ExecExecutor: a fresh process for every run, for programs whose start-up cannot be forked from.
// Engine side. Several times slower than a fork server, and otherwise the same.
#pragma once

#include "launch/run_area.h"

namespace raddle::launch {

class ExecExecutor : public Executor {
 public:
  static Result<std::unique_ptr<ExecExecutor>> create(const Program& program,
                                                      const ExecutorOptions& options);

  Result<facts::Run> run(const facts::Plan& plan) override;
  std::span<const wire::Module> modules() const override { return area_.modules(); }
  std::string suppressions() const override { return area_.suppressions(); }
  std::string printed(Stream stream) const override { return area_.printed(stream); }
  std::string output_path() const override { return area_.output().path(); }

 private:
  ExecExecutor(const Program& program, const ExecutorOptions& options, RunArea area, UniqueFd idle)
      : program_(program), options_(options), area_(std::move(area)), idle_(std::move(idle)) {}

  Program program_;
  ExecutorOptions options_;
  RunArea area_;
  UniqueFd idle_;  // stands in for both pipes, which a single run does not use
};

}  // namespace raddle::launch
