// SPDX-License-Identifier: Apache-2.0
//
// See search_options.h. Engine side; pure.
#include "search/search_options.h"

#include <fmt/core.h>

#include "search/priority.h"
#include "search/values.h"

namespace raddle::search {
namespace {

constexpr std::uint64_t kBoundMax = 1'000'000;

std::string takers(Takes what) {
  std::string names;
  for (const Strategy& strategy : strategies())
    if (strategy.takes(what)) names += (names.empty() ? "" : ", ") + std::string(strategy.name);
  return names;
}

Status check_taken(const Strategy& strategy, Takes what, const OptionText& option) {
  if (option.text.empty() || strategy.takes(what)) return Done{};
  return Error{fmt::format("{}: strategy `{}` does not use it; those that do: {}", option.by,
                           strategy.name, takers(what)),
               kExitUsage};
}

// The names of a list that goes with a priority function.
Result<std::vector<std::string>> names_for(const Priority& priority, const char* function,
                                           const OptionText& option, const OptionText& list) {
  bool used = priority.uses(function);
  if (used && option.text.empty())
    return Error{fmt::format("{}: `{}` needs names to look for: {}", list.by, function, option.by),
                 kExitUsage};
  if (!used && !option.text.empty())
    return Error{fmt::format("{}: nothing looks at these names; `{}` in {} would", option.by,
                             function, list.by),
                 kExitUsage};
  if (!used) return std::vector<std::string>();
  std::vector<std::string> names = split_names(option.text);
  for (const std::string& name : names)
    if (name.empty())
      return Error{fmt::format("{}: `{}` has an empty name in it", option.by, option.text),
                   kExitUsage};
  return names;
}

std::string trimmed(const std::string& text) {
  std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (char c : list) {
    // The brackets of "operator<<" and "operator->" are none.
    std::string_view before = names.back();
    before = before.substr(0, before.find_last_not_of("<>-=") + 1);
    bool of_operator = (c == '<' || c == '>') && before.ends_with("operator");
    if (!of_operator && (c == '<' || c == '(' || c == '{' || c == '[')) ++depth;
    if (!of_operator && (c == '>' || c == ')' || c == '}' || c == ']')) --depth;
    if (c == ',' && depth <= 0)
      names.emplace_back();
    else
      names.back() += c;
  }
  for (std::string& name : names) name = trimmed(name);
  return names;
}

Result<FocusNames> read_search_options(const Strategy& strategy, const SearchTexts& texts,
                                       PlanOptions& plan) {
  if (auto s = check_taken(strategy, Takes::bound, texts.bound); !s) return s.error();
  if (auto s = check_taken(strategy, Takes::priority, texts.priority); !s) return s.error();
  if (auto s = check_taken(strategy, Takes::priority, texts.method); !s) return s.error();
  if (auto s = check_taken(strategy, Takes::priority, texts.var); !s) return s.error();
  if (auto s = check_taken(strategy, Takes::memory, texts.memory); !s) return s.error();
  if (!texts.bound.text.empty()) {
    auto bound = parse_number(texts.bound.by, texts.bound.text, 0, kBoundMax);
    if (!bound) return bound.error();
    plan.bound = static_cast<std::uint32_t>(*bound);
  }
  if (!texts.memory.text.empty()) {
    auto bytes = parse_size(texts.memory.by, texts.memory.text);
    if (!bytes) return bytes.error();
    plan.memory_bytes = *bytes;
  }
  Priority priority;
  if (!texts.priority.text.empty()) {
    auto parsed = Priority::parse(texts.priority.text, texts.priority.by);
    if (!parsed) return parsed.error();
    priority = *parsed;
    plan.priority = texts.priority.text;
  }
  FocusNames focus;
  auto methods = names_for(priority, "method", texts.method, texts.priority);
  if (!methods) return methods.error();
  auto variables = names_for(priority, "var", texts.var, texts.priority);
  if (!variables) return variables.error();
  focus.methods = std::move(*methods);
  focus.variables = std::move(*variables);
  focus.methods_by = texts.method.by;
  focus.variables_by = texts.var.by;
  return focus;
}

}  // namespace raddle::search
