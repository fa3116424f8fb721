// SPDX-License-Identifier: Apache-2.0
//
// Session: one campaign with all that belongs to it: the search and the state that it goes on with,
// detectors, suppressions, coverage, and what is remembered between campaigns. Engine side. The one
// place where these are put together, for the command line and for unit tests: what one of them has
// the other has too. Who makes the runs, and how it is shown, they bring along.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "campaign/campaign.h"
#include "outcome/focus.h"
#include "outcome/known_invariants.h"
#include "outcome/reporter.h"
#include "session/campaign_coverage.h"
#include "session/campaign_memo.h"
#include "session/kept_search.h"

namespace raddle::session {

class Session final : private campaign::Listener {
 public:
  // Both have to stay.
  Session(const Request& request, outcome::Reporter& reporter);

  // What can fail before the program is started: reads suppressions, an unfinished search and the
  // memo. An error names the option or the file.
  Status open();

  // The campaign; after open(). The executors make its runs, `request.jobs` of them, and have to
  // stay.
  campaign::CampaignOutcome explore(std::span<launch::Executor* const> executors);

 private:
  void on_run(const facts::Run& run) override { reporter_.on_run(run); }
  void on_trial(const facts::Plan& plan, const campaign::Trial& trial) override;
  void on_progress(const campaign::Progress& progress) override;
  void on_note(const std::string& note) override { reporter_.on_note(note); }
  void on_finding(const facts::Finding& finding, const std::string& signature) override;
  void on_seen_again(const std::string& signature) override;

  Status make_search();
  Status suppress();
  Status recall();
  Status watch_atomicity(detect::Settings& detectors);
  campaign::CampaignOptions campaign_options();
  void note_unmet(const facts::CampaignResult& result);
  void keep_search(campaign::CampaignOutcome& outcome);
  void note_not_remembered(const Status& remembered);
  std::span<const wire::Module> modules() const { return running_->modules(); }

  const Request& request_;
  outcome::Reporter& reporter_;
  launch::Executor* running_ = nullptr;
  outcome::ProgramFocus focus_;
  std::unique_ptr<search::Search> search_;
  bool resumed_ = false;
  // Null: not wanted.
  std::optional<KeptSearch> kept_;
  std::optional<CampaignMemo> memo_;
  std::optional<CampaignCoverage> coverage_;
  std::unique_ptr<outcome::KnownInvariants> invariants_;
};

}  // namespace raddle::session
