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

// Options that not every strategy has a use for; a set of them.
enum class Takes : std::uint8_t { nothing = 0, bound = 1, priority = 2, memory = 4 };
constexpr Takes operator|(Takes a, Takes b) {
  return static_cast<Takes>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct Strategy {
  std::string_view name;
  std::string_view description;  // one line
  std::unique_ptr<Search> (*make)(const PlanOptions& options);
  Takes options = Takes::nothing;  // of PlanOptions
  bool sparse = false;             // none of its runs shows all accesses to shared data
  // What `raddle learn` uses in its place: runs that differ, and all of them show all accesses to
  // shared data. Null: there is no such thing.
  std::unique_ptr<Search> (*make_learning)(const PlanOptions& options) = nullptr;

  constexpr bool takes(Takes what) const {
    return (static_cast<unsigned>(options) & static_cast<unsigned>(what)) != 0;
  }
};

std::span<const Strategy> strategies();

// An unknown name is an error that suggests the nearest known one.
Result<const Strategy*> find_strategy(std::string_view name);

}  // namespace raddle::search
