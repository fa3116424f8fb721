// SPDX-License-Identifier: Apache-2.0
//
// How much more there is to cover, estimated from how often what was covered has been seen. Engine
// side; pure.
//
// The number of properties is Chao's lower bound for incidence data, in its bias-corrected form
// (Chao, "Estimating the population size for capture-recapture data with unequal catchability",
// Biometrics 43, 1987): of m runs, q1 properties were seen in exactly one and q2 in exactly two;
// then about (m - 1) / m * q1 (q1 - 1) / (2 (q2 + 1)) have not been seen at all. What the next run
// is expected to add is q1 / m (Good, "The population frequencies of species and the estimation of
// population parameters", Biometrika 40, 1953). Both take runs to be independent draws from one
// distribution. Those of one sampling strategy are; of several, and of campaigns that repeat a
// seed, nearly. What the strategies never draw is in no estimate.
#pragma once

#include <cstdint>

namespace raddle::analysis {

struct SeenCounts {
  std::uint64_t runs = 0;
  std::uint64_t covered = 0;
  std::uint64_t once = 0, twice = 0;  // of these: seen in one run, in two
};

struct SaturationEstimate {
  double unseen = 0;    // at least about so many more can be covered
  double next_run = 0;  // that the next run will add
};

SaturationEstimate estimate_saturation(const SeenCounts& counts);

// The rule of `--stop-when saturated`: the last runs have added nothing, at least so many of them
// and at least so large a part of all.
struct SaturationRule {
  std::uint64_t runs = 500;
  unsigned percent = 20;
};
bool saturated(const SaturationRule& rule, std::uint64_t runs, std::uint64_t last_growth);

}  // namespace raddle::analysis
