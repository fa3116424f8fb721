// SPDX-License-Identifier: Apache-2.0
//
// See common_choices.h.
#include "launch/common_choices.h"

#include <algorithm>
#include <type_traits>

namespace raddle::launch {
namespace {

bool same_sites(const facts::Plan& a, const facts::Plan& b) {
  static const std::vector<SiteId> kNone;
  const std::vector<SiteId>& first = a.sites ? *a.sites : kNone;
  const std::vector<SiteId>& second = b.sites ? *b.sites : kNone;
  return &first == &second || first == second;
}

// One a choice; behind them all ranks are 0 (policy/dfs.h).
std::uint32_t common_rows(const facts::Ranks& a, const facts::Ranks& b) {
  auto rank = [](const facts::Ranks& ranks, std::size_t i) -> std::uint16_t {
    return i < ranks.rows.size() ? ranks.rows[i].picked : 0;
  };
  std::size_t count = std::max(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < count; ++i)
    if (rank(a, i) != rank(b, i)) return static_cast<std::uint32_t>(i);
  return kAllChoices;
}

// In the order of their choices (policy/tree.h). Up to the first that differs the runs agree, and
// on to the choice it is about.
std::uint32_t common_rows(const facts::Deviations& a, const facts::Deviations& b) {
  auto [first, second] = std::ranges::mismatch(a.rows, b.rows);
  std::uint32_t at_first = first != a.rows.end() ? first->choice.step : kAllChoices;
  std::uint32_t at_second = second != b.rows.end() ? second->choice.step : kAllChoices;
  return std::min(at_first, at_second);
}

// Whoever makes a kind resumable is asked by the compiler for its common_rows().
struct CommonSteering {
  template <class A, class B>
  std::optional<std::uint32_t> operator()(const A& a, const B& b) const {
    if constexpr (std::is_same_v<A, B> && wire::SteeringOf<A::kKind>::kResumable)
      return common_rows(a, b);
    return std::nullopt;
  }
};

}  // namespace

bool is_resumable(const facts::Steering& steering) {
  return wire::find_steering(facts::kind_of(steering))->resumable;
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
  if (!same_before_threads(a, b) || !same_sites(a, b)) return std::nullopt;
  return std::visit(CommonSteering{}, a.steering, b.steering);
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
