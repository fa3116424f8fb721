// SPDX-License-Identifier: Apache-2.0
//
// See session.h. Engine side.
#include "session/session.h"

#include <fmt/core.h>

#include "outcome/learned_memo.h"
#include "report/file_io.h"

namespace raddle::session {
namespace {

// So often the state of a search is kept while the campaign lasts: what a killed one loses.
constexpr std::chrono::seconds kKeepEvery{60};

}  // namespace

Session::Session(const Request& request, outcome::Reporter& reporter)
    : request_(request),
      reporter_(reporter),
      focus_(
          request.focus, [this] { return modules(); }, request.program().directory) {}

Status Session::open() {
  if (auto status = suppress(); !status) return status;
  bool keeps = request_.keep_search || request_.resume != Resume::no;
  Facts facts;  // reading them takes a while
  if (keeps || request_.memo) facts = request_facts(request_);
  if (keeps) kept_.emplace(request_, facts);
  if (auto status = make_search(); !status) return status;
  // Without anybody who asks for it, nobody has to look.
  if (request_.coverage != ObserveRuns::none && (request_.memo || request_.saturation))
    coverage_.emplace(request_.coverage);
  if (!request_.memo) return Done{};
  memo_.emplace(request_, facts);
  if (coverage_) memo_->keep(*coverage_);
  return memo_->open();
}

Status Session::suppress() {
  const auto& [file, by] = request_.suppressions;
  if (file.empty()) return Done{};
  auto text = report::read_file(file);
  if (!text) return Error{by + ": " + text.error().message, kExitUsage};
  auto suppressions = report::Suppressions::parse(*text, file);
  if (!suppressions) return suppressions.error();
  reporter_.suppress(std::move(*suppressions));
  return Done{};
}

Status Session::make_search() {
  search::PlanOptions plan = request_.plan;
  // Beside the findings: where temporary files lie by default may be memory.
  if (plan.memory_bytes != 0 && report::make_folders(request_.out))
    plan.spill_directory = request_.out;
  if (!request_.focus.empty()) plan.focus = &focus_;
  search_ = request_.strategy->make(plan);
  if (request_.jobs > 1 && search::ask<search::Concurrent>(*search_) == nullptr)
    return Error{fmt::format("--jobs: the strategy {} makes one run after the other",
                             request_.strategy->name),
                 kExitUsage};
  if (request_.resume == Resume::no) return Done{};
  std::string note;
  auto loaded = kept_->load(*search_, note);
  if (!loaded) return loaded.error();
  if (!note.empty()) reporter_.on_note(note);
  resumed_ = *loaded;
  return Done{};
}

// A search that goes on knows its sites.
Status Session::recall() {
  if (!resumed_)
    if (Status recalled = memo_->recall(*search_, modules()); !recalled) return recalled;
  return memo_->begin(*search_, reporter_.symbolizer(), [this] { return modules(); });
}

// What was learned of the program is looked for in its runs, unless these do not show accesses.
Status Session::watch_atomicity(detect::Settings& detectors) {
  const search::PlanOptions& plan = request_.plan;
  if (!request_.atomicity || !plan.races || plan.points == wire::Points::sync) return Done{};
  auto learned =
      outcome::learned_invariants(memo::memo_path(request_.out), request_.program().path);
  if (!learned) return learned.error();
  invariants_ = std::make_unique<outcome::KnownInvariants>(
      *learned, [this] { return modules(); }, reporter_.symbolizer());
  invariants_->tell(detectors);
  return Done{};
}

campaign::CampaignOptions Session::campaign_options() {
  campaign::CampaignOptions options = request_.campaign;
  options.show_all_runs = coverage_ && request_.coverage == ObserveRuns::all;
  if (request_.saturation)
    options.enough = [this] { return coverage_->saturation(*request_.saturation); };
  auto* resumable = search::ask<search::Resumable>(*search_);
  if (!kept_ || resumable == nullptr) return options;
  options.keep_state_every = kKeepEvery;
  options.keep_state = [this, resumable] {
    return resumable->resumable() ? kept_->save(*resumable) : Status(Done{});
  };
  return options;
}

campaign::CampaignOutcome Session::explore(std::span<launch::Executor* const> executors) {
  running_ = executors.front();
  reporter_.suppress_also([this] { return running_->suppressions(); });
  campaign::CampaignOutcome outcome;
  detect::Settings detectors{.lock_order = request_.lock_order, .locksets = request_.locksets};
  if (auto status = watch_atomicity(detectors); !status) outcome.failure = status.error();
  std::vector<std::unique_ptr<campaign::Trials>> trials;
  std::vector<campaign::Trials*> others;
  for (launch::Executor* executor : executors) {
    trials.push_back(std::make_unique<campaign::Trials>(*executor, request_.program().directory,
                                                        request_.surroundings,
                                                        request_.campaign.interrupts));
    trials.back()->look_by(detectors);
    if (trials.size() > 1) others.push_back(trials.back().get());
  }
  if (memo_ && trials[0]->in_place() != nullptr) memo_->close_between_uses();
  if (memo_ && !outcome.failure)
    if (auto status = recall(); !status) outcome.failure = status.error();
  if (outcome.failure) return outcome;
  campaign::CampaignOptions options = campaign_options();
  outcome = campaign::Campaign(options, *search_, *trials[0], reporter_, *this, others).run();
  for (const std::string& sentence : focus_.unseen()) on_note(sentence);
  note_unmet(outcome.result);
  keep_search(outcome);
  if (memo_) note_not_remembered(memo_->end(outcome.result));
  outcome.result.strategy = request_.strategy->name;
  outcome.result.seed = request_.plan.seed;
  outcome.result.resumed = resumed_;
  if (auto* residing = dynamic_cast<const launch::Residing*>(running_))
    outcome.result.forked_because = residing->forked_because();
  outcome.result.failing = request_.campaign.failing;
  return outcome;
}

// What was learned of code that is no longer the same is of no use, and nobody would notice. Runs
// that do not show all accesses say nothing about it, nor does a test that is a part of the
// program.
void Session::note_unmet(const facts::CampaignResult& result) {
  if (invariants_ == nullptr || invariants_->empty() || invariants_->met() > 0) return;
  if (result.schedules == 0 || request_.strategy->sparse || !request_.campaign.test.empty()) return;
  on_note(
      fmt::format("no access of these runs is at one of the {} places that `raddle learn` has "
                  "learned of: if the code has changed since, learn again",
                  invariants_->size()));
}

// At the end of a campaign: what is not finished is kept, what is finished is removed.
void Session::keep_search(campaign::CampaignOutcome& outcome) {
  auto* resumable = search::ask<search::Resumable>(*search_);
  if (!kept_ || resumable == nullptr) return;
  if (resumable->finished()) kept_->remove();
  if (!resumable->resumable()) return;
  if (Status saved = kept_->save(*resumable); saved)
    outcome.result.state_file = kept_->path();
  else if (!outcome.failure)
    outcome.failure = saved.error();
}

void Session::note_not_remembered(const Status& remembered) {
  if (!remembered) on_note("this campaign cannot be remembered: " + remembered.error().message);
}

void Session::on_trial(const facts::Plan& plan, const campaign::Trial& trial) {
  if (coverage_) coverage_->on_trial(plan, trial);
}

void Session::on_progress(const campaign::Progress& progress) {
  reporter_.on_progress(progress);
  if (memo_) note_not_remembered(memo_->on_progress(progress));
}

void Session::on_finding(const facts::Finding& finding, const std::string& signature) {
  reporter_.on_finding(finding, signature);
  if (memo_) memo_->on_finding(finding, signature);
}

void Session::on_seen_again(const std::string& signature) {
  if (memo_) memo_->on_seen_again(signature);
}

}  // namespace raddle::session
