// SPDX-License-Identifier: Apache-2.0
//
// The only place where a user-visible name meets its ingredients. Engine side.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "search/learned.h"
#include "search/search.h"

namespace raddle::search {

struct Strategy {
  std::string_view name;
  std::string_view description;  // one line
  std::unique_ptr<Search> (*make)(const PlanOptions& options);
};

std::span<const Strategy> strategies();

// An unknown name is an error that suggests the nearest known one.
Result<const Strategy*> find_strategy(std::string_view name);

}  // namespace raddle::search
