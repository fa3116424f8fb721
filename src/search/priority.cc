// SPDX-License-Identifier: Apache-2.0
//
// The list of priority functions, and their combination. Engine side. To add one: a row.
#include "search/priority.h"

#include <fmt/core.h>

#include <algorithm>

#include "launch/did_you_mean.h"
#include "search/priority_list.h"

namespace raddle::search {
namespace {

constexpr PriorityFunction kFunctions[] = {
    {"pb", "fewer preemptions first", 16, priority_pb},
    {"dpor", "what partial-order reduction asks for first", 1, priority_dpor},
    {"mdpor", "the same, and what it adds to be on the safe side later", 2, priority_mdpor},
    {"ss", "what a sleep set would leave out last", 1, priority_ss},
    {"rand", "in random order", 32, priority_rand},
    {"method", "at the functions named by --method first", 2, priority_method},
    {"var", "at the variables named by --var first", 2, priority_var},
};

constexpr unsigned total_bits() {
  unsigned bits = 0;
  for (const PriorityFunction& function : kFunctions) bits += function.bits;
  return bits;
}
static_assert(total_bits() <= 64, "all of them together have to fit into one number");

}  // namespace

std::span<const PriorityFunction> priority_functions() { return kFunctions; }

Result<Priority> Priority::parse(std::string_view list, std::string_view by) {
  Priority result;
  for (std::size_t begin = 0; begin <= list.size();) {
    std::size_t end = std::min(list.find(',', begin), list.size());
    std::string_view name = list.substr(begin, end - begin);
    begin = end + 1;
    const auto* found = std::ranges::find(kFunctions, name, &PriorityFunction::name);
    if (name.empty()) return Error{fmt::format("{}: `{}` has an empty part", by, list), kExitUsage};
    if (found == std::end(kFunctions)) {
      std::vector<std::string> names;
      for (const PriorityFunction& function : kFunctions) names.emplace_back(function.name);
      std::string hint = launch::did_you_mean(name, names);
      if (hint.empty()) hint = "; `raddle list priorities` shows all";
      return Error{fmt::format("{}: unknown function `{}`{}", by, name, hint), kExitUsage};
    }
    if (result.uses(name)) return Error{fmt::format("{}: `{}` comes twice", by, name), kExitUsage};
    result.functions_.push_back(found);
  }
  return result;
}

std::uint64_t Priority::of(const Alternative& alternative) const {
  std::uint64_t number = 0;
  for (const PriorityFunction* function : functions_)
    number = number << function->bits | function->of(alternative);
  return number;
}

bool Priority::uses(std::string_view name) const {
  return std::ranges::any_of(functions_, [&](const auto* f) { return f->name == name; });
}

}  // namespace raddle::search
