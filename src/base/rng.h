// SPDX-License-Identifier: Apache-2.0
//
// The only random generator of raddle: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). Both sides.
// Eight bytes of state, so that a seed in the plan determines every draw of a run.
#pragma once

#include <cstdint>

namespace raddle {

// A bijection of 64-bit words that scatters its input; also the mixing step of every hash we keep.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// The seed of run `index` of a campaign.
constexpr std::uint64_t run_seed(std::uint64_t campaign, std::uint64_t index) {
  return mix64(campaign + mix64(index));
}

// A random word as a number in [0, bound), by the multiply-shift method; its bias is below
// bound / 2^64. Requires: bound > 0.
constexpr std::uint32_t scaled(std::uint64_t word, std::uint32_t bound) {
  return static_cast<std::uint32_t>((static_cast<unsigned __int128>(word) * bound) >> 64);
}

class Rng {
 public:
  Rng() = default;
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    return mix64(state_);
  }

  // Uniform in [0, bound). Requires: bound > 0.
  constexpr std::uint32_t below(std::uint32_t bound) { return scaled(next(), bound); }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace raddle
