// SPDX-License-Identifier: Apache-2.0
//
// Data races of a run. Engine side. They are found inside the program, where every access is seen
// (runtime/race.h); this gathers what it reported: for each race the access that completed it and
// the earlier one.
#pragma once

#include "analysis/analysis.h"

namespace raddle::analysis {

class Races final : public Analysis {
 public:
  void begin() override;
  void on_event(const wire::Event& event) override;
  void finish(const facts::Run&, Findings& findings) override;

 private:
  Findings found_;
  std::size_t index_ = 0;  // of the next event
};

}  // namespace raddle::analysis
