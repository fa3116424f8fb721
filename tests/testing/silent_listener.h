// SPDX-License-Identifier: Apache-2.0
//
// Silent: the listener of a campaign that is only interested in kinds of findings. Tests only.
#pragma once

#include <string>

#include "search/campaign.h"

namespace raddle::search {

class Silent : public CampaignListener {
 public:
  void on_note(const std::string&) override {}
  facts::Finding describe(const Sighting& sighting) override {
    facts::Finding finding;
    finding.kind = sighting.trial.judgement.kind;
    return finding;
  }
  std::string signature(const facts::Finding& finding) override {
    return std::string(facts::finding_name(finding.kind));
  }
  Status keep(facts::Finding&, const Sighting&, const facts::Schedule&) override { return Done{}; }
  std::string place(SiteId, std::span<const wire::Module>) override { return ""; }
};

}  // namespace raddle::search
