// SPDX-License-Identifier: Apache-2.0
//
// Frequencies over many seeds, held against probabilities derived by hand. Tests only.
//
// Seeds are fixed, so a test passes always or never; the margins say how likely a correct
// implementation would have failed it when the seeds were chosen.
#pragma once

#include <cmath>
#include <cstdint>

namespace raddle::toy {

// The share of seeds 1..trials for which `hit` is true.
template <class Hit>
double share(unsigned trials, Hit hit) {
  unsigned hits = 0;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) hits += hit(seed) ? 1 : 0;
  return static_cast<double>(hits) / trials;
}

// Four standard deviations of a share of probability p: exceeded, on either side, with a
// probability of 6e-5.
inline double margin(double p, unsigned trials) { return 4 * std::sqrt(p * (1 - p) / trials); }

// Sum of (observed - expected)^2 / expected over cells of equal probability.
template <class Counts>
double chi_square(const Counts& counts, double expected) {
  double sum = 0;
  for (double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

}  // namespace raddle::toy
