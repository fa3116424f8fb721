// SPDX-License-Identifier: Apache-2.0
//
// See coverage_options.h. Engine side; pure.
#include "session/coverage_options.h"

#include <fmt/core.h>

#include "search/values.h"

namespace raddle::session {
namespace {

Status read_mode(const search::OptionText& given, Request& request) {
  constexpr std::pair<const char*, ObserveRuns> kModes[] = {
      {"off", ObserveRuns::none}, {"some", ObserveRuns::some}, {"all", ObserveRuns::all}};
  if (given.text.empty()) return Done{};
  for (const auto& [name, mode] : kModes) {
    if (given.text != name) continue;
    request.coverage = mode;
    return Done{};
  }
  return Error{fmt::format("{} {}: expected all, some or off", given.by, given.text), kExitUsage};
}

// Coverage is observed in runs that show all accesses: whether the request's are such.
Status check_observable(const CoverageTexts& texts, const Request& request) {
  std::string needs = fmt::format(
      "{} saturated: coverage is observed in runs that show all accesses", texts.stop_when.by);
  if (request.strategy->sparse)
    return Error{fmt::format("{}, and those of strategy {} do not; use auto, random, pct, pos, "
                             "surw or urw",
                             needs, request.strategy->name),
                 kExitUsage};
  if (request.plan.points == wire::Points::sync)
    return Error{fmt::format("{}, which is not with {} sync", needs, texts.points_by), kExitUsage};
  if (!request.plan.races)
    return Error{fmt::format("{}, which is not with {} off", needs, texts.races_by), kExitUsage};
  return Done{};
}

Status read_rule(const CoverageTexts& texts, analysis::SaturationRule& rule) {
  const auto& [runs, runs_by] = texts.saturation_runs;
  const auto& [part, part_by] = texts.saturation_part;
  if (!runs.empty()) {
    auto parsed = search::parse_number(runs_by, runs, 1, 1'000'000'000);
    if (!parsed) return parsed.error();
    rule.runs = *parsed;
  }
  if (!part.empty()) {
    auto parsed = search::parse_number(part_by, part, 0, 100);
    if (!parsed) return parsed.error();
    rule.percent = static_cast<unsigned>(*parsed);
  }
  return Done{};
}

}  // namespace

Status read_coverage_options(const CoverageTexts& texts, Request& request) {
  const search::OptionText& rule = texts.stop_when;
  // A rule about runs is about all of them.
  if (!rule.text.empty()) request.coverage = ObserveRuns::all;
  if (auto status = read_mode(texts.coverage, request); !status) return status;
  for (const search::OptionText* option : {&texts.saturation_runs, &texts.saturation_part})
    if (!option->text.empty() && rule.text.empty())
      return Error{fmt::format("{}: it is for {} saturated", option->by, rule.by), kExitUsage};
  if (rule.text.empty()) return Done{};
  if (rule.text != "saturated")
    return Error{fmt::format("{} {}: expected `saturated`", rule.by, rule.text), kExitUsage};
  if (auto status = read_rule(texts, request.saturation.emplace()); !status) return status;
  if (auto status = check_observable(texts, request); !status) return status;
  if (request.coverage == ObserveRuns::none)
    return Error{
        fmt::format("{} saturated and {} off exclude each other", rule.by, texts.coverage.by),
        kExitUsage};
  return Done{};
}

}  // namespace raddle::session
