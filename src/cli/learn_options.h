// SPDX-License-Identifier: Apache-2.0
//
// What `raddle learn` was asked to do. Engine side.
#pragma once

#include "cli/test_options.h"
#include "outcome/learning.h"

namespace raddle::cli {

struct LearnOptions {
  TestOptions test;  // how runs are made
  outcome::LearningOptions learning;
  bool hardware = false;  // compare with the cache simulation
};

// Nothing if the help was asked for and printed.
Result<std::optional<LearnOptions>> parse_learn_options(const Arguments& arguments);

}  // namespace raddle::cli
