// SPDX-License-Identifier: Apache-2.0
//
// Parsing and matching suppressions. Engine side; pure.
#include "report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>

namespace raddle::report {
namespace {

using facts::Finding;
using facts::Frame;
using facts::ThreadSnapshot;

constexpr std::string_view kTypes[] = {"race",   "race_top", "called_from_lib", "mutex",
                                       "thread", "signal",   "deadlock"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// `pattern` from here on matches a beginning of `text`, or all of it if it has to.
bool matches_here(std::string_view pattern, std::string_view text, bool to_end) {
  if (pattern.empty()) return !to_end || text.empty();
  if (pattern[0] == '*') {
    for (std::size_t skip = 0; skip <= text.size(); ++skip)
      if (matches_here(pattern.substr(1), text.substr(skip), to_end)) return true;
    return false;
  }
  return !text.empty() && text[0] == pattern[0] &&
         matches_here(pattern.substr(1), text.substr(1), to_end);
}

bool frame_matches(std::string_view pattern, const Frame& frame) {
  return pattern_matches(pattern, frame.function) || pattern_matches(pattern, frame.file) ||
         pattern_matches(pattern, frame.module);
}

bool any_frame(const Finding& finding, std::string_view pattern) {
  return std::ranges::any_of(finding.threads, [&](const ThreadSnapshot& thread) {
    return std::ranges::any_of(thread.stack,
                               [&](const Frame& frame) { return frame_matches(pattern, frame); });
  });
}

bool top_frame(const Finding& finding, std::string_view pattern) {
  return std::ranges::any_of(finding.threads, [&](const ThreadSnapshot& thread) {
    return !thread.stack.empty() && frame_matches(pattern, thread.stack.front());
  });
}

}  // namespace

bool pattern_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty() || text.empty()) return false;
  bool from_begin = pattern.front() == '^';
  if (from_begin) pattern.remove_prefix(1);
  bool to_end = !pattern.empty() && pattern.back() == '$';
  if (to_end) pattern.remove_suffix(1);
  if (from_begin) return matches_here(pattern, text, to_end);
  for (std::size_t skip = 0; skip <= text.size(); ++skip)
    if (matches_here(pattern, text.substr(skip), to_end)) return true;
  return false;
}

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& name) {
  Suppressions result;
  int line = 0;
  while (!text.empty()) {
    ++line;
    std::size_t end = text.find('\n');
    std::string_view words = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (words.empty() || words.front() == '#') continue;
    std::size_t colon = words.find(':');
    std::string_view type = words.substr(0, colon);
    bool known = std::ranges::find(kTypes, type) != std::end(kTypes);
    if (colon == std::string_view::npos || !known)
      return Error{fmt::format("{}:{}: expected TYPE:PATTERN with one of the types {}, found `{}`",
                               name, line, fmt::join(kTypes, ", "), words),
                   kExitUsage};
    std::string_view pattern = trimmed(words.substr(colon + 1));
    if (pattern.empty())
      return Error{fmt::format("{}:{}: expected a pattern after `{}:`", name, line, type),
                   kExitUsage};
    result.rules_.push_back({std::string(type), std::string(pattern)});
  }
  return result;
}

bool Suppressions::applies(const Rule& rule, const Finding& finding) {
  std::string_view type = finding.kind.suppressions;
  if (type == "race" && rule.type == "race_top") return top_frame(finding, rule.pattern);
  if (type == "race" && rule.type == "called_from_lib") return any_frame(finding, rule.pattern);
  if (type.empty() || rule.type != type) return false;
  return any_frame(finding, rule.pattern) ||
         (type == "race" && pattern_matches(rule.pattern, finding.variable));
}

bool Suppressions::match(const Finding& finding) const {
  return std::ranges::any_of(rules_, [&](const Rule& rule) { return applies(rule, finding); });
}

}  // namespace raddle::report
