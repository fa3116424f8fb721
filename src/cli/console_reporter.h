// SPDX-License-Identifier: Apache-2.0
//
// ConsoleReporter: what a campaign says, shown by a progress view and remembered. Engine side.
#pragma once

#include "cli/campaign_memo.h"
#include "cli/event_dump.h"
#include "cli/progress.h"
#include "outcome/reporter.h"

namespace raddle::cli {

class ConsoleReporter : public outcome::Reporter {
 public:
  // `coverage` may be null: what runs cover does not matter.
  ConsoleReporter(ProgressView& view, CampaignMemo& memo, CampaignCoverage* coverage,
                  campaign::Surroundings surroundings, std::string directory,
                  const std::string& out, EventDump dump, bool quiet)
      : Reporter(std::move(surroundings), std::move(directory), out),
        view_(view),
        memo_(memo),
        coverage_(coverage),
        dump_(std::move(dump)),
        quiet_(quiet) {}

  void on_run(const facts::Run& run) override { dump_.add(run); }
  void on_trial(const facts::Plan& plan, const campaign::Trial& trial) override {
    if (coverage_ != nullptr) coverage_->on_trial(plan, trial);
  }
  void on_progress(const campaign::Progress& progress) override {
    view_.update(progress);
    note_not_remembered(memo_.on_progress(progress));
  }
  void on_finding(const facts::Finding& finding, const std::string& signature) override {
    memo_.on_finding(finding, signature);
  }
  void on_seen_again(const std::string& signature) override { memo_.on_seen_again(signature); }
  void note_not_remembered(const Status& remembered) {
    if (!remembered) on_note("this campaign cannot be remembered: " + remembered.error().message);
  }
  void on_note(const std::string& note) override {
    if (!quiet_) view_.note("raddle: note: " + note);
  }

 private:
  ProgressView& view_;
  CampaignMemo& memo_;
  CampaignCoverage* coverage_;
  EventDump dump_;
  bool quiet_;
};

}  // namespace raddle::cli
