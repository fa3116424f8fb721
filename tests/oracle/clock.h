// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks of the abstract machine. Tests only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/program.h"

namespace raddle::oracle {

using Clock = std::array<std::uint8_t, kThreads>;

inline void join_into(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace raddle::oracle
