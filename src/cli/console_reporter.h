// SPDX-License-Identifier: Apache-2.0
//
// ConsoleReporter: what a campaign says, shown by a progress view. Engine side.
#pragma once

#include "cli/event_dump.h"
#include "cli/progress.h"
#include "outcome/reporter.h"

namespace raddle::cli {

class ConsoleReporter : public outcome::Reporter {
 public:
  ConsoleReporter(ProgressView& view, campaign::Surroundings surroundings, std::string directory,
                  const std::string& out, EventDump dump, bool quiet)
      : Reporter(std::move(surroundings), std::move(directory), out),
        view_(view),
        dump_(std::move(dump)),
        quiet_(quiet) {}

  void on_run(const facts::Run& run) override { dump_.add(run); }
  void on_progress(const campaign::Progress& progress) override { view_.update(progress); }
  void on_note(const std::string& note) override {
    if (!quiet_) view_.note("raddle: note: " + note);
  }

 private:
  ProgressView& view_;
  EventDump dump_;
  bool quiet_;
};

}  // namespace raddle::cli
