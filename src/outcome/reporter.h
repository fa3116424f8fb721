// SPDX-License-Identifier: Apache-2.0
//
// Reporter: what a campaign has seen, put into words by report/ and kept in the finding store.
// Engine side; what the command line and unit tests have in common. How it is shown is theirs.
#pragma once

#include <functional>
#include <string>

#include "campaign/listener.h"
#include "report/finding_store.h"
#include "report/locked_code.h"
#include "report/names.h"
#include "report/suppressions.h"
#include "report/symbolizer.h"

namespace raddle::outcome {

// The finding that a judged trial amounts to, without number and directory. `directory` is the
// campaign's working directory, `error_output` what the run printed to standard error. Requires:
// the trial's outcome is a finding.
facts::Finding describe_trial(const campaign::Trial& trial,
                              const campaign::Surroundings& surroundings,
                              const std::string& directory, const std::string& error_output,
                              report::Names& names);

class Reporter : public campaign::Desk, public campaign::Listener {
 public:
  // `directory` is the campaign's working directory, `out` where findings are kept.
  Reporter(campaign::Surroundings surroundings, std::string directory, const std::string& out);

  report::Symbolizer& symbolizer() { return symbolizer_; }
  void suppress(report::Suppressions suppressions) { suppressions_ = std::move(suppressions); }
  // What the program itself suppresses, asked for at the first finding: it has run by then.
  void suppress_also(std::function<std::string()> text) { program_rules_ = std::move(text); }

  facts::Finding describe(const campaign::Sighting& sighting) override;
  bool suppressed(const facts::Finding& finding) override;
  Status keep(facts::Finding& finding, const campaign::Sighting& sighting,
              const facts::Schedule& schedule) override;
  std::string place(SiteId site, std::span<const wire::Module> modules) override;

 protected:
  // A finding has been written down.
  virtual void on_kept(const facts::Finding&, const report::StoredFinding&, report::Names&) {}
  // `stacks` may be null.
  report::ProgramNames names(std::span<const wire::Module> modules,
                             const facts::EventStacks* stacks = nullptr);

 private:
  std::string hint(const facts::Finding& finding, std::span<const wire::Module> modules);

  campaign::Surroundings surroundings_;
  std::string directory_;
  report::FindingStore store_;
  report::Symbolizer symbolizer_;
  report::LockedCode locked_code_;
  report::Suppressions suppressions_, program_suppressions_;
  std::function<std::string()> program_rules_;  // null: they are known
};

}  // namespace raddle::outcome
