// SPDX-License-Identifier: Apache-2.0
//
// Panel: the detectors that are asked for, with their analyses, looking at one run after the other.
// Engine side.
#pragma once

#include <memory>
#include <vector>

#include "detect/registry.h"

namespace raddle::detect {

class Panel {
 public:
  explicit Panel(const Settings& settings = {});

  // What they see in the run, by detector; each is given its detector's kind. Those that are told
  // of as the end of a run look at it only if it was cut.
  std::vector<Evidence> look_at(const facts::Run& run, bool cut);

  // Whether one of them needs that of every run.
  bool needs(Needs what) const;

 private:
  struct Member {
    const Detector* detector;
    std::unique_ptr<analysis::Analysis> analysis;
  };
  std::vector<Member> members_;
};

}  // namespace raddle::detect
