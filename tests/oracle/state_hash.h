// SPDX-License-Identifier: Apache-2.0
//
// States of the abstract machine as keys of hash tables. Tests only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/rng.h"
#include "oracle/machine.h"

namespace raddle::oracle {

// Of the bytes of something that has no padding.
template <class Bytes>
std::uint64_t hash_of(const Bytes& value, std::uint64_t hash = 0) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof value; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, std::min<std::size_t>(8, sizeof value - i));
    hash = mix64(hash + word + 0x9e3779b97f4a7c15ull);
  }
  return hash;
}

struct StateHash {
  std::size_t operator()(const State& state) const { return hash_of(state); }
};

}  // namespace raddle::oracle
