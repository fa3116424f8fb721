// SPDX-License-Identifier: Apache-2.0
//
// See coverage_summary.h. Engine side; pure.
#include "cli/coverage_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "facts/module_table.h"

namespace raddle::cli {
namespace {

// What all campaigns together know of a property.
struct Joined {
  memo::PropertyRecord property;
  std::uint64_t first = 0;  // run, over all campaigns; 0: not covered
  std::uint64_t times = 0, attempts = 0, failures = 0;
  bool here = false;  // of the build in question, or at sites that are in it
};

class Summary {
 public:
  Summary(const std::vector<memo::Record>& records, const std::string& path);
  std::optional<CoverageSummary> make();

 private:
  using Key = std::pair<std::string, std::uint64_t>;  // criterion, hash

  void choose_build();
  bool belongs_here(const memo::PropertyRecord& property) const;
  void number_runs();
  void join();
  CriterionSummary criterion(const std::string& name) const;
  void count(const Joined& joined, CriterionSummary& summary, analysis::SeenCounts& seen) const;
  std::vector<KeptAccess> accesses(const memo::PropertyRecord& property) const;

  std::map<std::string, const memo::CampaignRecord*> campaigns_;  // by uid
  std::vector<const memo::GrowthRecord*> growth_;
  std::vector<const memo::PropertyRecord*> properties_;
  std::vector<const memo::CoverageRecord*> coverage_;
  std::vector<const memo::PlaceRecord*> all_places_;
  std::map<std::string, std::string> places_;         // of the build: by site
  std::set<std::string> counted_;                     // campaigns
  std::map<std::string, std::uint64_t> runs_before_;  // by campaign
  std::uint64_t runs_ = 0;
  memo::ProgramRecord program_;
  std::map<Key, Joined> joined_;
};

Summary::Summary(const std::vector<memo::Record>& records, const std::string& path) {
  program_.path = path;
  for (const memo::Record& record : records) {
    if (auto* campaign = std::get_if<memo::CampaignRecord>(&record))
      if (campaign->program.path == path) campaigns_[campaign->uid] = campaign;
    if (auto* property = std::get_if<memo::PropertyRecord>(&record))
      if (property->program.path == path) properties_.push_back(property);
    if (auto* place = std::get_if<memo::PlaceRecord>(&record))
      if (place->program.path == path) all_places_.push_back(place);
    // These come after their campaigns.
    if (auto* growth = std::get_if<memo::GrowthRecord>(&record))
      if (campaigns_.contains(growth->campaign)) growth_.push_back(growth);
    if (auto* coverage = std::get_if<memo::CoverageRecord>(&record))
      if (campaigns_.contains(coverage->campaign)) coverage_.push_back(coverage);
  }
}

void Summary::choose_build() {
  const memo::CampaignRecord* last = nullptr;
  for (const memo::GrowthRecord* growth : growth_) {
    const memo::CampaignRecord* campaign = campaigns_.at(growth->campaign);
    if (last == nullptr ||
        std::tie(last->begun, last->uid) < std::tie(campaign->begun, campaign->uid))
      last = campaign;
  }
  program_ = last->program;
  for (const memo::PlaceRecord* place : all_places_) {
    if (!(place->program == program_)) continue;
    std::string& text = places_[place->site];
    text = place->file.empty() ? place->site
                               : fmt::format("{}:{}", facts::base_name(place->file), place->line);
  }
}

bool Summary::belongs_here(const memo::PropertyRecord& property) const {
  if (property.program == program_) return true;
  std::vector<KeptAccess> parts = parse_accesses(property.accesses);
  return !parts.empty() && std::ranges::all_of(parts, [&](const KeptAccess& access) {
    return places_.contains(access.site);
  });
}

// Campaigns of this build, and of others that have something to do with it.
void Summary::number_runs() {
  std::vector<const memo::CampaignRecord*> order;
  for (const std::string& uid : counted_) order.push_back(campaigns_.at(uid));
  std::ranges::sort(order, {}, [](const auto* c) { return std::tie(c->begun, c->uid); });
  for (const memo::CampaignRecord* campaign : order) {
    runs_before_[campaign->uid] = runs_;
    std::uint64_t observed = 0;
    for (const memo::GrowthRecord* growth : growth_)
      if (growth->campaign == campaign->uid) observed = std::max(observed, growth->runs);
    runs_ += observed;
  }
}

void Summary::join() {
  std::map<std::pair<std::string, Key>, const memo::PropertyRecord*> by_build;
  for (const memo::PropertyRecord* property : properties_) {
    Key key{property->criterion, property->hash};
    Joined& joined = joined_[key];
    bool here = belongs_here(*property);
    if (here && !joined.here) joined.property = *property;
    joined.here |= here;
    by_build[{property->program.build, key}] = property;
  }
  std::erase_if(joined_, [](const auto& each) { return !each.second.here; });
  auto counts = [&](const memo::CoverageRecord& coverage) {
    auto found = by_build.find(
        {campaigns_.at(coverage.campaign)->program.build, {coverage.criterion, coverage.hash}});
    return found != by_build.end() && belongs_here(*found->second);
  };
  std::erase_if(coverage_, [&](const auto* coverage) { return !counts(*coverage); });
  for (const auto& [uid, campaign] : campaigns_)
    if (campaign->program == program_) counted_.insert(uid);
  for (const memo::CoverageRecord* coverage : coverage_) counted_.insert(coverage->campaign);
  number_runs();
  for (const memo::CoverageRecord* coverage : coverage_) {
    Joined& joined = joined_.at({coverage->criterion, coverage->hash});
    joined.times += coverage->times;
    joined.attempts += coverage->attempts;
    joined.failures += coverage->failures;
    if (coverage->times == 0) continue;
    std::uint64_t run = runs_before_.at(coverage->campaign) + coverage->first_run;
    joined.first = joined.first == 0 ? run : std::min(joined.first, run);
  }
}

std::vector<KeptAccess> Summary::accesses(const memo::PropertyRecord& property) const {
  std::vector<KeptAccess> parts = parse_accesses(property.accesses);
  for (KeptAccess& access : parts) {
    auto place = places_.find(access.site);
    access.place = place != places_.end() ? place->second : access.site;
  }
  return parts;
}

void Summary::count(const Joined& joined, CriterionSummary& summary,
                    analysis::SeenCounts& seen) const {
  ++summary.known;
  if (joined.times > 0) {
    ++summary.covered;
    summary.growth.emplace_back(joined.first, 0);
    if (joined.first + summary.recent > summary.runs) ++summary.added;
    seen.once += joined.times == 1 ? 1 : 0;
    seen.twice += joined.times == 2 ? 1 : 0;
    return;
  }
  bool given_up = joined.failures >= kGivenUpAfter;
  ++(given_up ? summary.given_up : summary.untested);
  summary.uncovered.push_back(
      {joined.property, accesses(joined.property), joined.attempts, joined.failures, given_up});
}

CriterionSummary Summary::criterion(const std::string& name) const {
  CriterionSummary summary;
  summary.name = name;
  summary.runs = runs_;
  summary.recent = std::min(runs_, kRecentRuns);
  for (const memo::GrowthRecord* growth : growth_) {
    if (growth->criterion != name || !counted_.contains(growth->campaign)) continue;
    summary.at_least |= growth->truncated;
    // Longer numbers are larger ones, and those beyond all words are words.
    auto rank = [](const std::string& size) {
      return std::tuple(size.starts_with("about"), size.size(), size);
    };
    if (rank(summary.size) < rank(growth->size)) summary.size = growth->size;
  }
  analysis::SeenCounts seen;
  for (const auto& [key, joined] : joined_)
    if (key.first == name) count(joined, summary, seen);
  seen.runs = runs_;
  seen.covered = summary.covered;
  summary.estimate = analysis::estimate_saturation(seen);
  std::ranges::sort(summary.growth);
  for (std::size_t i = 0; i < summary.growth.size(); ++i) summary.growth[i].second = i + 1;
  // Of several in one run, the last.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> points;
  for (const auto& point : summary.growth) {
    if (!points.empty() && points.back().first == point.first) points.pop_back();
    points.push_back(point);
  }
  summary.growth = std::move(points);
  std::ranges::sort(summary.uncovered, {}, [](const UncoveredProperty& each) {
    return std::tie(each.property.accesses, each.property.form);
  });
  return summary;
}

std::optional<CoverageSummary> Summary::make() {
  if (growth_.empty()) return std::nullopt;
  choose_build();
  join();
  CoverageSummary summary;
  summary.program = program_;
  summary.campaigns = counted_.size();
  std::set<std::string> names;
  for (const memo::GrowthRecord* growth : growth_) names.insert(growth->criterion);
  for (const auto& observer : analysis::make_coverage_observers())
    for (const analysis::Criterion& known : observer->criteria())
      if (names.erase(std::string(known.name)) != 0) {
        summary.criteria.push_back(criterion(std::string(known.name)));
        summary.criteria.back().grows_long = known.grows_long;
      }
  for (const std::string& name : names) summary.criteria.push_back(criterion(name));
  return summary;
}

}  // namespace

std::vector<KeptAccess> parse_accesses(const std::string& lines) {
  std::vector<KeptAccess> parts;
  for (std::size_t at = 0; at < lines.size();) {
    std::size_t end = std::min(lines.find('\n', at), lines.size());
    std::string line = lines.substr(at, end - at);
    at = end + 1;
    std::size_t kind = line.find(' ');
    std::size_t thread = kind == std::string::npos ? kind : line.find(' ', kind + 1);
    std::size_t nth = thread == std::string::npos ? thread : line.find(' ', thread + 1);
    if (nth == std::string::npos) continue;
    KeptAccess access;
    access.kind = line.substr(0, kind);
    access.thread = line.substr(kind + 1, thread - kind - 1);
    access.thread = access.thread == "-" ? "" : "T" + access.thread;
    for (char c : line.substr(thread + 1, nth - thread - 1))
      if (c >= '0' && c <= '9')
        access.nth =
            std::min<std::uint64_t>(access.nth * 10 + static_cast<unsigned>(c - '0'), 1'000'000);
    access.site = line.substr(nth + 1);
    parts.push_back(std::move(access));
  }
  return parts;
}

std::optional<CoverageSummary> summarize_coverage(const std::vector<memo::Record>& records,
                                                  const std::string& path) {
  return Summary(records, path).make();
}

}  // namespace raddle::cli
