// SPDX-License-Identifier: Apache-2.0
//
// Analysis: a consumer of one run's event stream. Engine side. Observers cannot steer: an analysis
// sees what happened and judges it; it knows neither policies nor symbols. What it finds are
// suspicions in terms of events, which report/ turns into findings with names and source lines.
#pragma once

#include <vector>

#include "facts/evidence.h"
#include "facts/run.h"
#include "wire/event.h"

namespace raddle::analysis {

using facts::Evidence;
using Findings = std::vector<Evidence>;

class Analysis {
 public:
  virtual ~Analysis() = default;

  // A run begins: forget the last one.
  virtual void begin() = 0;
  // Every event of the run, in order.
  virtual void on_event(const wire::Event& event) = 0;
  // The run is over. Requires: run.events are the events shown since begin().
  virtual void finish(const facts::Run& run, Findings& findings) = 0;
};

}  // namespace raddle::analysis
