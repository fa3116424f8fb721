// SPDX-License-Identifier: Apache-2.0
//
// From campaigns to records, and from places of the memo to sites of a run. Engine side.
#include "session/campaign_memo.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "outcome/memo_place.h"
#include "report/file_io.h"
#include "report/finding_store.h"

namespace raddle::session {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kWriteEvery{1};  // at least
constexpr int kWritePart = 50;                  // and so that it takes at most one part in so many
constexpr std::chrono::milliseconds kLongRun{50};  // and after every run of this length

std::int64_t now() { return static_cast<std::int64_t>(std::time(nullptr)); }

}  // namespace

std::string memo_subject(const Facts& facts) {
  Facts chosen;
  for (const auto& [name, value] : facts) {
    bool elsewhere = name == outcome::kFactProgram || name == outcome::kFactBuild ||
                     name.starts_with(outcome::kFactLibrary);
    // How schedules are drawn, or in which order they are tried.
    bool order = name == "--seed" || name == "--depth" || name == "--priority" ||
                 name == "--method" || name == "--var";
    if (!elsewhere && !order && !value.empty()) chosen.emplace_back(name, value);
  }
  return outcome::print_facts(chosen);
}

CampaignMemo::CampaignMemo(const Request& request, const Facts& facts)
    : path_(memo::memo_path(request.out)), subject_(memo_subject(facts)) {
  campaign_.program = outcome::memo_program(facts);
  campaign_.input = request.program().stdin_file;
  campaign_.strategy = request.strategy->name;
  campaign_.seed = request.plan.seed;
  std::vector<std::string> words;
  if (const std::string* arguments = outcome::find_fact(facts, outcome::kFactArguments))
    if (!arguments->empty()) words.push_back(*arguments);
  if (!request.campaign.test.empty()) words.push_back("[" + request.campaign.test + "]");
  campaign_.arguments = fmt::format("{}", fmt::join(words, " "));
}

bool CampaignMemo::exists() const {
  std::error_code ignored;
  return std::filesystem::exists(path_, ignored);
}

Status CampaignMemo::open() {
  if (!exists()) return Done{};
  Status opened = create();
  // A full disk is no reason not to test; the next attempt to write will say so.
  return disk_trouble_ ? Status(Done{}) : opened;
}

void CampaignMemo::close_between_uses() {
  stays_open_ = false;
  memo_.reset();
}

Status CampaignMemo::create() {
  if (Status made = report::make_folders(path_.substr(0, path_.rfind('/'))); !made) return made;
  memo::MemoOptions options;
  disk_trouble_ = false;
  options.disk_trouble = &disk_trouble_;
  auto memo = memo::open_memo(path_, options);
  if (!memo) return memo.error();
  memo_ = std::move(*memo);
  return Done{};
}

Status CampaignMemo::recall(search::Search& search, std::span<const wire::Module> modules) {
  // Objects that are loaded later are not in the table yet: their sites are learned anew.
  facts::ModuleTable table = facts::ModuleTable::from_wire(modules);
  Status status = Done{};
  auto* learning = search::ask<search::SiteLearning>(search);
  if (learning == nullptr) return status;
  if (!memo_)
    if (Status opened = open(); !opened) return opened;
  if (!memo_) return status;
  learning->start_with([&](const std::string& set) {
    std::vector<SiteId> sites;
    auto places = memo_->learned(campaign_.program, subject_, set);
    if (!places) {
      status = places.error();
      return sites;
    }
    for (const auto& [module, offset] : *places)
      if (auto site = table.site({module, offset})) sites.push_back(*site);
    return sites;
  });
  if (!stays_open_) memo_.reset();
  return status;
}

Status CampaignMemo::begin(const search::Search& search, report::Symbolizer& symbolizer,
                           std::function<std::span<const wire::Module>()> modules) {
  search_ = &search;
  symbolizer_ = &symbolizer;
  modules_ = std::move(modules);
  campaign_.uid = memo::new_uid();
  campaign_.begun = now();
  if (!exists() || disk_trouble_) return Done{};
  Status written = write();
  return disk_trouble_ ? Status(Done{}) : written;  // the next attempt will say so
}

void CampaignMemo::on_finding(const facts::Finding& finding, const std::string& signature) {
  memo::SightingRecord& sighting = sightings_[signature];
  sighting.campaign = campaign_.uid;
  sighting.kind = finding.kind.name;
  sighting.signature = signature;
  sighting.message = finding.message;
  if (!finding.directory.empty())
    sighting.schedule = finding.directory + "/" + report::kScheduleFile;
  sighting.first_seen = sighting.last_seen = now();
  sighting.times = 1;
  changed_.insert(signature);
  found_ = true;
}

void CampaignMemo::on_seen_again(const std::string& signature) {
  auto known = sightings_.find(signature);
  if (known == sightings_.end()) return;
  ++known->second.times;
  known->second.last_seen = now();
  changed_.insert(signature);
}

Status CampaignMemo::on_progress(const campaign::Progress& progress) {
  campaign_.runs = progress.runs;
  campaign_.behaviours = progress.behaviours;
  campaign_.seconds = progress.seconds;
  auto begun = Clock::now();
  bool long_run = begun - std::exchange(progress_at_, begun) >= kLongRun;
  auto pause = std::min<Clock::duration>(kWriteEvery, write_took_ * kWritePart);
  bool due = found_ || long_run || begun - written_at_ >= pause;
  if (given_up_ || !due) return Done{};
  Status written = write();
  write_took_ = Clock::now() - begun;
  given_up_ = !written;
  return written;
}

Status CampaignMemo::end(const facts::CampaignResult& result) {
  // A program that never ran leaves nothing behind.
  if (campaign_.runs == 0 && !exists()) return Done{};
  campaign_.ended = true;
  campaign_.behaviours = result.behaviours;
  campaign_.seconds = result.seconds;
  campaign_.complete = result.complete;
  campaign_.guarantee = result.guarantee;
  Status written = write();
  return given_up_ ? Status(Done{}) : written;  // it has been told
}

Status CampaignMemo::write() {
  if (!memo_)
    if (Status created = create(); !created) return created;
  Status written = write_open();
  if (!stays_open_) memo_.reset();
  return written;
}

Status CampaignMemo::write_open() {
  std::vector<memo::Record> records{campaign_};
  for (const std::string& signature : changed_) records.push_back(sightings_[signature]);
  add_learned(records);
  if (coverage_ != nullptr) add_coverage(records);
  Status added = memo_->add(records);
  written_at_ = Clock::now();  // not before: what takes long is done less often
  if (!added) {
    written_.clear();
    if (coverage_ != nullptr) coverage_->lost();
    return added;
  }
  changed_.clear();
  found_ = false;
  return added;
}

void CampaignMemo::add_learned(std::vector<memo::Record>& records) {
  auto* learning = search::ask<search::SiteLearning>(*search_);
  if (learning == nullptr) return;
  std::optional<facts::ModuleTable> table;
  for (const search::SiteLearning::LearnedSites& learned : learning->learned_sites()) {
    std::set<SiteId>& written = written_[learned.set];
    if (!learned.sites || learned.sites->size() == written.size()) continue;
    if (!table) table = facts::ModuleTable::from_wire(modules_());
    for (SiteId site : *learned.sites) {
      const facts::Module* module = table->find(site);
      if (!written.insert(site).second || module == nullptr) continue;
      memo::PlaceRecord found = place(*module, site - module->site_base);
      records.push_back(memo::LearnedRecord{campaign_.program, subject_, learned.set, found.module,
                                            found.offset});
      records.push_back(std::move(found));
    }
  }
}

void CampaignMemo::add_coverage(std::vector<memo::Record>& records) {
  facts::ModuleTable table = facts::ModuleTable::from_wire(modules_());
  report::ProgramNames names(table, *symbolizer_);
  auto place_of = [&](SiteId site) -> std::optional<memo::PlaceRecord> {
    const facts::Module* module = table.find(site);
    if (module == nullptr) return std::nullopt;
    return place(*module, site - module->site_base);
  };
  coverage_->add_records(campaign_, place_of, names, campaign_.ended, records);
}

memo::PlaceRecord CampaignMemo::place(const facts::Module& module, std::uint64_t offset) const {
  return outcome::memo_place(campaign_.program, module, offset, *symbolizer_);
}

}  // namespace raddle::session
