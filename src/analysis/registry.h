// SPDX-License-Identifier: Apache-2.0
//
// The list of analyses: what `raddle list analyses` prints and what a campaign can run. Engine
// side.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "analysis/analysis.h"

namespace raddle::analysis {

struct Registered {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Analysis> (*make)();
};

std::span<const Registered> analyses();

// Null if there is no analysis of that name.
std::unique_ptr<Analysis> make_analysis(std::string_view name);

}  // namespace raddle::analysis
