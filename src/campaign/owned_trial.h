// SPDX-License-Identifier: Apache-2.0
//
// OwnedTrial: a trial that outlives the next run of its executor. Engine side.
#pragma once

#include <vector>

#include "campaign/trial.h"

namespace raddle::campaign {

// A trial whose run no longer depends on the executor.
struct OwnedTrial {
  explicit OwnedTrial(const Trial& original)
      : trial(original),
        events(original.run.events.begin(), original.run.events.end()),
        choices(original.run.choices.begin(), original.run.choices.end()),
        sets(original.run.sets.begin(), original.run.sets.end()) {
    trial.run.events = events;
    trial.run.choices = choices;
    trial.run.sets = sets;
  }
  OwnedTrial(const OwnedTrial&) = delete;
  OwnedTrial& operator=(const OwnedTrial&) = delete;

  Trial trial;
  std::vector<wire::Event> events;
  std::vector<wire::ChoiceRecord> choices;
  std::vector<wire::ChoiceSets> sets;
};

}  // namespace raddle::campaign
