// SPDX-License-Identifier: Apache-2.0
//
// From properties of a run to records. Engine side.
#include "session/campaign_coverage.h"

#include <fmt/core.h>

#include <ctime>

#include "report/numbers.h"

namespace raddle::session {
namespace {

constexpr std::uint64_t kCreditOfRun = 140;

// Of words, so that builds which number their sites otherwise agree.
std::uint64_t text_hash(std::uint64_t hash, const std::string& text) {
  for (char c : text) hash = analysis::add_to_hash(hash, static_cast<unsigned char>(c));
  return hash;
}

memo::GrowthRecord growth_record(const std::string& uid, const analysis::CriterionState& state,
                                 std::uint64_t runs) {
  memo::GrowthRecord record;
  record.campaign = uid;
  record.criterion = state.criterion.name;
  record.runs = runs;
  record.covered = state.covered;
  if (!(state.size == analysis::Count())) record.size = state.size.text();
  record.truncated = state.truncated;
  for (const auto& [run, covered] : state.growth)
    record.growth += fmt::format("{}{}:{}", record.growth.empty() ? "" : " ", run, covered);
  return record;
}

}  // namespace

bool observable(const facts::Plan& plan) {
  const wire::Plan& header = plan.header;
  // Without races nobody remembers what was done before data became shared.
  return header.points != wire::Points::sync && header.races != 0 && header.racing_only == 0;
}

void CampaignCoverage::on_trial(const facts::Plan& plan, const campaign::Trial& trial) {
  facts::Outcome outcome = trial.judgement.outcome;
  bool counts = outcome == facts::Outcome::ok || outcome == facts::Outcome::finding ||
                outcome == facts::Outcome::limited;
  if (counts && observable(plan) && affordable(trial.run.events.size()))
    table_.observe(trial.run);
  else
    ++left_out_;
}

bool CampaignCoverage::affordable(std::size_t events) {
  if (which_ != ObserveRuns::some) return which_ == ObserveRuns::all;
  credit_ += kCreditOfRun + events / 20;
  if (credit_ < events) return false;
  credit_ -= events;
  return true;
}

std::string CampaignCoverage::saturation(const analysis::SaturationRule& rule) const {
  std::uint64_t runs = table_.runs();
  if (!analysis::saturated(rule, runs, table_.last_growth())) return "";
  return fmt::format("coverage is saturated: the last {} of {} observed runs added nothing",
                     report::group_digits(runs - table_.last_growth()), report::group_digits(runs));
}

const std::string& CampaignCoverage::site_key(SiteId site, const PlaceOf& place_of,
                                              std::vector<memo::Record>& records) {
  auto [known, fresh] = site_keys_.try_emplace(site, "?");
  if (!fresh) return known->second;
  if (auto place = place_of(site)) {
    known->second = place->site;
    records.push_back(std::move(*place));
  }
  return known->second;
}

memo::PropertyRecord CampaignCoverage::property(const memo::ProgramRecord& program,
                                                const analysis::CriterionState& state,
                                                const analysis::Property& property,
                                                const PlaceOf& place_of, report::Names& names,
                                                std::vector<memo::Record>& records) {
  memo::PropertyRecord record;
  record.program = program;
  record.criterion = state.criterion.name;
  record.form = property.form;
  record.hash = property.hash;
  if (property.count == 0) return record;
  std::string last;
  for (std::size_t i = 0; i < property.count; ++i) {
    const analysis::PropertyPart& part = property.parts[i];
    std::string thread = part.thread == kNoThread ? "-" : std::to_string(part.thread);
    record.accesses += fmt::format("{} {} {} {}\n", wire::op_word(part.kind), thread, part.nth,
                                   site_key(part.site, place_of, records));
    // Where one after the other is of the same, it is said once.
    std::string variable = names.location(part.where);
    if (variable == last) continue;
    record.variable += (i == 0 ? "" : "\n") + variable;
    last = variable;
  }
  record.hash = text_hash(text_hash(property.form, record.criterion), record.accesses);
  return record;
}

void CampaignCoverage::add_records(const memo::CampaignRecord& campaign, const PlaceOf& place_of,
                                   report::Names& names, bool ended,
                                   std::vector<memo::Record>& records) {
  if (table_.runs() == 0) return;
  auto now = static_cast<std::int64_t>(std::time(nullptr));
  table_.take_changed(
      ended, [&](const analysis::CriterionState& state, const analysis::CoverageEntry& entry) {
        memo::PropertyRecord known =
            property(campaign.program, state, entry.property, place_of, names, records);
        memo::CoverageRecord covered;
        covered.campaign = campaign.uid;
        covered.criterion = known.criterion;
        covered.hash = known.hash;
        covered.first_run = entry.first_run;
        covered.first_seen = entry.times > 0 ? now : 0;
        covered.times = entry.times;
        covered.predicted = entry.predicted;
        records.push_back(std::move(known));
        records.push_back(std::move(covered));
      });
  for (const analysis::CriterionState& state : table_.criteria())
    records.push_back(growth_record(campaign.uid, state, table_.runs()));
}

void CampaignCoverage::lost() {
  site_keys_.clear();
  table_.take_all_again();
}

}  // namespace raddle::session
