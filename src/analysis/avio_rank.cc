// SPDX-License-Identifier: Apache-2.0
//
// See avio_rank.h. Engine side; pure.
#include "analysis/avio_rank.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace raddle::analysis {

std::vector<RankedInterleaving> rank_interleavings(
    std::span<const std::vector<Interleaving>> passing, std::span<const Interleaving> failing,
    std::size_t failing_events) {
  std::unordered_map<std::uint64_t, std::uint64_t> runs;  // by key
  std::unordered_map<SiteId, std::uint64_t> runs_at;      // by I
  for (const std::vector<Interleaving>& run : passing) {
    std::unordered_set<std::uint64_t> keys;
    std::unordered_set<SiteId> sites;
    for (const Interleaving& each : run) {
      if (keys.insert(each.key()).second) ++runs[each.key()];
      if (sites.insert(each.i).second) ++runs_at[each.i];
    }
  }
  auto count = [](const auto& map, auto key) {
    auto found = map.find(key);
    return found == map.end() ? 0 : found->second;
  };
  std::vector<RankedInterleaving> ranked;
  for (const Interleaving& each : failing) {
    std::size_t after = std::size_t{each.last_i_index} + 1;
    ranked.push_back({each, count(runs, each.key()), count(runs_at, each.i),
                      failing_events > after ? failing_events - after : 0});
  }
  std::ranges::stable_sort(ranked, {}, [](const RankedInterleaving& each) {
    return std::tuple(each.passing, each.passing_i, each.distance);
  });
  return ranked;
}

}  // namespace raddle::analysis
