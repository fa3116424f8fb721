// SPDX-License-Identifier: Apache-2.0
//
// CampaignCoverage: what the runs of one campaign cover, for the memo and for
// --stop-when. Engine side.
//
// Runs count if their events hold all accesses to shared data (observable()): those of sampling
// strategies. Systematic searches look at data that races only; their runs are left out, and
// counted.
//
// Looking at an event takes about a fifth of a microsecond, making a run half a millisecond and a
// fifth of a microsecond an event: long runs are observed now and then only, so that it stays at
// about a twentieth of the campaign (ObserveRuns::some). Which ones, the number of events decides
// and no clock: the same campaign observes the same runs.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "analysis/coverage_table.h"
#include "analysis/saturation.h"
#include "campaign/trial.h"
#include "memo/records.h"
#include "report/names.h"
#include "session/request.h"

namespace raddle::session {

bool observable(const facts::Plan& plan);

class CampaignCoverage {
 public:
  explicit CampaignCoverage(ObserveRuns which = ObserveRuns::all) : which_(which) {}

  // Where a site is, as the memo knows places; nothing if it is in no module.
  using PlaceOf = std::function<std::optional<memo::PlaceRecord>(SiteId)>;

  void on_trial(const facts::Plan& plan, const campaign::Trial& trial);

  const analysis::CoverageTable& table() const { return table_; }
  std::uint64_t left_out() const { return left_out_; }
  // Why the campaign may end by the rule; "" if it may not.
  std::string saturation(const analysis::SaturationRule& rule) const;

  // Adds what is new since the last time, after the campaign's own record; at its end everything
  // whose count has changed.
  void add_records(const memo::CampaignRecord& campaign, const PlaceOf& place_of,
                   report::Names& names, bool ended, std::vector<memo::Record>& records);
  // What was added last has not been kept.
  void lost();

 private:
  memo::PropertyRecord property(const memo::ProgramRecord& program,
                                const analysis::CriterionState& state,
                                const analysis::Property& property, const PlaceOf& place_of,
                                report::Names& names, std::vector<memo::Record>& records);
  const std::string& site_key(SiteId site, const PlaceOf& place_of,
                              std::vector<memo::Record>& records);

  bool affordable(std::size_t events);

  ObserveRuns which_;
  analysis::CoverageTable table_;
  std::map<SiteId, std::string> site_keys_;  // that are in the memo
  std::uint64_t left_out_ = 0;
  // Events that may be looked at. What the first runs show is new, so they come first.
  std::uint64_t credit_ = 20'000;
};

}  // namespace raddle::session
