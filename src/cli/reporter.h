// SPDX-License-Identifier: Apache-2.0
//
// Reporter: what a campaign says, put into words by report/, shown by a progress view and kept in
// the finding store. Engine side.
#pragma once

#include <stdio.h>

#include <memory>
#include <string>

#include "cli/progress.h"
#include "report/finding_store.h"
#include "report/names.h"
#include "report/suppressions.h"
#include "report/symbolizer.h"
#include "search/campaign.h"

namespace raddle::cli {

// A file to which the raw events of every run are appended, for tests of determinism: per run the
// number of its events as eight bytes, then the events.
class EventDump {
 public:
  // An empty path dumps nothing.
  static Result<EventDump> open(const std::string& path);
  void add(const facts::Run& run);

 private:
  std::shared_ptr<FILE> file_;
};

// The finding that a judged trial amounts to, without number and directory. `directory` is the
// campaign's working directory, `error_output` what the run printed to standard error. Requires:
// the trial's outcome is a finding.
facts::Finding describe_trial(const search::Trial& trial, const search::Surroundings& surroundings,
                              const std::string& directory, const std::string& error_output,
                              report::Names& names);

class Reporter : public search::CampaignListener {
 public:
  // `directory` is the campaign's working directory, `out` where findings are kept.
  Reporter(ProgressView& view, search::Surroundings surroundings, std::string directory,
           const std::string& out, EventDump dump, bool quiet);

  void suppress(report::Suppressions suppressions) { suppressions_ = std::move(suppressions); }

  void on_run(const facts::Run& run) override { dump_.add(run); }
  void on_progress(const search::Progress& progress) override { view_.update(progress); }
  void on_note(const std::string& note) override;
  facts::Finding describe(const search::Sighting& sighting) override;
  std::string signature(const facts::Finding& finding) override;
  bool suppressed(const facts::Finding& finding) override { return suppressions_.match(finding); }
  Status keep(facts::Finding& finding, const search::Sighting& sighting,
              const facts::Schedule& schedule) override;
  std::string place(SiteId site, std::span<const wire::Module> modules) override;

 private:
  report::ProgramNames names(std::span<const wire::Module> modules);

  ProgressView& view_;
  search::Surroundings surroundings_;
  std::string directory_;
  report::FindingStore store_;
  EventDump dump_;
  bool quiet_;
  report::Symbolizer symbolizer_;
  report::Suppressions suppressions_;
};

}  // namespace raddle::cli
