// SPDX-License-Identifier: Apache-2.0
//
// CampaignMemo: what one campaign takes from the memo (DIR/memo.db) and adds to it. Engine side.
//
// Everything new is added at once: when a finding has been made, and between runs as often as costs
// no more than a fiftieth of the time, at least every second. So a campaign that is killed has lost
// the run that was going on; if runs are short, the count of those of the last hundredths of a
// second, too, and what they have learned or covered. A finding that was announced is there.
//
// A campaign does not end because it cannot be remembered: then there is a note, and one more
// attempt at its end.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "campaign/campaign.h"
#include "facts/module_table.h"
#include "memo/memo.h"
#include "report/symbolizer.h"
#include "session/campaign_coverage.h"
#include "session/kept_search.h"

namespace raddle::session {

// What was run how, but for what does not matter to which data is shared. A line for each fact.
std::string memo_subject(const Facts& facts);

class CampaignMemo {
 public:
  // `facts`: request_facts().
  CampaignMemo(const Request& request, const Facts& facts);

  // Opens the memo if there is one, or refuses a file that is none. It is created after the first
  // run, so that a program that cannot be run leaves nothing behind.
  Status open();
  // From now on the file is open while it is used only: runs are made in this very process, and may
  // do anything to its descriptors.
  void close_between_uses();
  // Lets the search start with what is known of the program; `modules` are what it is loaded with.
  Status recall(search::Search& search, std::span<const wire::Module> modules);
  // From here on the campaign is in the memo, if there is one already. What is passed has to stay
  // until end().
  Status begin(const search::Search& search, report::Symbolizer& symbolizer,
               std::function<std::span<const wire::Module>()> modules);

  // Keeps what it covers, too. It has to stay until end().
  void keep(CampaignCoverage& coverage) { coverage_ = &coverage; }

  void on_finding(const facts::Finding& finding, const std::string& signature);
  void on_seen_again(const std::string& signature);
  // Between runs. The error is told once.
  Status on_progress(const campaign::Progress& progress);
  Status end(const facts::CampaignResult& result);

 private:
  bool exists() const;
  Status create();
  Status write();
  Status write_open();
  void add_learned(std::vector<memo::Record>& records);
  void add_coverage(std::vector<memo::Record>& records);
  memo::PlaceRecord place(const facts::Module& module, std::uint64_t offset) const;

  std::string path_;  // empty: nothing is remembered
  memo::CampaignRecord campaign_;
  std::string subject_;
  std::unique_ptr<memo::Memo> memo_;  // null: not open
  bool stays_open_ = true;
  CampaignCoverage* coverage_ = nullptr;  // null: it is not kept
  const search::Search* search_ = nullptr;
  report::Symbolizer* symbolizer_ = nullptr;
  std::function<std::span<const wire::Module>()> modules_;
  std::map<std::string, memo::SightingRecord> sightings_;  // by signature
  std::set<std::string> changed_;                          // of these, since the last write
  bool found_ = false;                                     // something new since then
  std::map<std::string, std::set<SiteId>> written_;        // sites, by set
  std::chrono::steady_clock::time_point written_at_;
  std::chrono::steady_clock::time_point progress_at_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration write_took_ = std::chrono::milliseconds(1);
  bool disk_trouble_ = false;
  bool given_up_ = false;
};

}  // namespace raddle::session
