// SPDX-License-Identifier: Apache-2.0
//
// What the user says about a systematic search: read, and checked against the strategy. Engine
// side; pure. Common to the command line and to unit tests, whose options have other names.
#pragma once

#include <string>
#include <vector>

#include "search/learned.h"
#include "search/strategies.h"

namespace raddle::search {

// A value as text, and whose word it is, for errors ("--bound", "RADDLE_BOUND").
struct OptionText {
  std::string text;  // empty: not given
  std::string by;
};

struct SearchTexts {
  OptionText bound{"", "--bound"};
  OptionText priority{"", "--priority"};
  OptionText method{"", "--method"};
  OptionText var{"", "--var"};
  OptionText memory{"", "--memory"};
};

// The names that priority functions are to look at; whoever can resolve them makes a Focus of them.
struct FocusNames {
  std::vector<std::string> methods, variables;
  std::string methods_by, variables_by;  // whose word they are
  bool empty() const { return methods.empty() && variables.empty(); }
};

// Puts bound, priority and memory into the plan's options. An error names the option: a value that
// is none, one that the strategy does not use, names without the priority function that looks at
// them, or the function without names.
Result<FocusNames> read_search_options(const Strategy& strategy, const SearchTexts& texts,
                                       PlanOptions& plan);

// The parts of a list, at commas that are in no bracket: "Map<int, int>::put,drain" has two.
std::vector<std::string> split_names(const std::string& list);

}  // namespace raddle::search
