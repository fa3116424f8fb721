// SPDX-License-Identifier: Apache-2.0
//
// Silent: desk and listener of a campaign that is only interested in kinds of findings. Tests only.
#pragma once

#include <string>

#include "campaign/listener.h"

namespace raddle::campaign {

class Silent : public Desk, public Listener {
 public:
  void on_note(const std::string&) override {}
  facts::Finding describe(const Sighting& sighting) override {
    facts::Finding finding;
    finding.kind = sighting.trial.judgement.kind;
    return finding;
  }
  Status keep(facts::Finding&, const Sighting&, const facts::Schedule&) override { return Done{}; }
  std::string place(SiteId, std::span<const wire::Module>) override { return ""; }
};

}  // namespace raddle::campaign
