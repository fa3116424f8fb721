// SPDX-License-Identifier: Apache-2.0
//
// What `raddle learn` was asked to do. Engine side.
#pragma once

#include "analysis/avio.h"
#include "cli/test_options.h"

namespace raddle::cli {

struct LearnOptions {
  TestOptions test;  // how runs are made
  analysis::Granularity granularity = analysis::Granularity::word;
  std::uint64_t stable = 0;     // so many runs without a change are enough
  std::uint64_t tolerated = 0;  // runs that may violate an invariant
  bool hardware = false;        // compare with the cache simulation
};

// Nothing if the help was asked for and printed.
Result<std::optional<LearnOptions>> parse_learn_options(const Arguments& arguments);

}  // namespace raddle::cli
