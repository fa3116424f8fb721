// SPDX-License-Identifier: Apache-2.0
//
// See common_choices.h.
#include "launch/common_choices.h"

#include <algorithm>
#include <cstring>

namespace raddle::launch {
namespace {

using wire::ChoiceRecord;

bool has_policy(const wire::Plan& plan, const char* name) {
  return std::strncmp(plan.policy, name, wire::kPolicyNameMax) == 0;
}

bool same_sites(const facts::Plan& a, const facts::Plan& b) {
  static const std::vector<SiteId> kNone;
  const std::vector<SiteId>& first = a.sites ? *a.sites : kNone;
  const std::vector<SiteId>& second = b.sites ? *b.sites : kNone;
  return &first == &second || first == second;
}

// Ranks, one a choice; behind them all ranks are 0 (policy/dfs.h).
std::uint32_t common_ranks(std::span<const ChoiceRecord> a, std::span<const ChoiceRecord> b) {
  std::size_t count = std::max(a.size(), b.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t first = i < a.size() ? a[i].picked : 0;
    std::uint16_t second = i < b.size() ? b[i].picked : 0;
    if (first != second) return static_cast<std::uint32_t>(i);
  }
  return kAllChoices;
}

// Deviations from the default behaviour, in the order of their choices: two records each, the first
// with the number of its choice in `step`, the second a sleep set (policy/tree.h). Up to the first
// that differs the runs agree, and on to the choice it is about.
std::uint32_t common_deviations(std::span<const ChoiceRecord> a, std::span<const ChoiceRecord> b) {
  std::size_t i = 0;
  auto same = [&] { return a[i] == b[i] && a[i + 1] == b[i + 1]; };
  while (i + 1 < a.size() && i + 1 < b.size() && same()) i += 2;
  std::uint32_t first = i < a.size() ? a[i].step : kAllChoices;
  std::uint32_t second = i < b.size() ? b[i].step : kAllChoices;
  return std::min(first, second);
}

}  // namespace

bool follows_prefix_only(const wire::Plan& plan) {
  return plan.strict == 0 && (has_policy(plan, "dfs") || has_policy(plan, "tree"));
}

bool same_before_threads(const facts::Plan& a, const facts::Plan& b) {
  const wire::Plan& first = a.header;
  const wire::Plan& second = b.header;
  return first.max_steps == second.max_steps && first.spurious == second.spurious &&
         first.points == second.points && first.timers == second.timers &&
         first.stacks == second.stacks && first.races == second.races &&
         first.stop_when_idle == second.stop_when_idle && first.systematic == second.systematic &&
         first.racing_only == second.racing_only && a.sudden_exit == b.sudden_exit &&
         (first.systematic == 0 || same_sites(a, b));
}

std::optional<std::uint32_t> common_choices(const facts::Plan& a, const facts::Plan& b) {
  if (!follows_prefix_only(a.header) || !follows_prefix_only(b.header)) return std::nullopt;
  if (!same_before_threads(a, b) || !same_sites(a, b)) return std::nullopt;
  bool ranks = has_policy(a.header, "dfs");
  if (ranks != has_policy(b.header, "dfs")) return std::nullopt;
  return ranks ? common_ranks(a.prefix, b.prefix) : common_deviations(a.prefix, b.prefix);
}

std::size_t least_useful(std::span<const std::uint64_t> times, std::uint64_t end) {
  std::size_t least = 1;
  double least_value = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < times.size(); ++i) {
    std::uint64_t next = i + 1 < times.size() ? times[i + 1] : std::max(end, times[i]);
    auto gap = static_cast<double>(next - times[i - 1]);
    auto to_end = static_cast<double>(std::max(end, times[i]) - times[i]) + 1;
    if (gap / to_end >= least_value) continue;
    least = i;
    least_value = gap / to_end;
  }
  return least;
}

}  // namespace raddle::launch
