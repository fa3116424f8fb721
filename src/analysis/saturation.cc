// SPDX-License-Identifier: Apache-2.0
//
// See saturation.h. Engine side; pure.
#include "analysis/saturation.h"

namespace raddle::analysis {

SaturationEstimate estimate_saturation(const SeenCounts& counts) {
  SaturationEstimate estimate;
  if (counts.runs == 0) return estimate;
  auto runs = static_cast<double>(counts.runs), once = static_cast<double>(counts.once),
       twice = static_cast<double>(counts.twice);
  estimate.next_run = once / runs;
  if (counts.once > 0) estimate.unseen = (runs - 1) / runs * once * (once - 1) / (2 * (twice + 1));
  return estimate;
}

bool saturated(const SaturationRule& rule, std::uint64_t runs, std::uint64_t last_growth) {
  std::uint64_t quiet = runs - last_growth;
  // In floating point: percentages of large numbers of runs do not fit.
  return quiet >= rule.runs &&
         static_cast<double>(quiet) * 100 >= static_cast<double>(runs) * rule.percent;
}

}  // namespace raddle::analysis
