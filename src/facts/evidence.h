// SPDX-License-Identifier: Apache-2.0
//
// Evidence: what an analysis found in a run, in terms of events. Engine side. It becomes a Finding
// when report/ gives it names and source lines.
#pragma once

#include <vector>

#include "facts/finding.h"
#include "wire/event.h"

namespace raddle::facts {

struct Evidence {
  FindingKind kind = {};            // of the detector (detect/panel.h)
  ThreadId thread = 0;              // whom to blame first
  std::vector<wire::Event> events;  // what to show, in the order to show it
  std::size_t first_index = 0;      // of the first one in the run's events; races only
};

}  // namespace raddle::facts
