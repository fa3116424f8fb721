// SPDX-License-Identifier: Apache-2.0
//
// Failing: which findings count, so that the exit code is 1 or the unit test fails. Engine side.
// Most kinds always do; a race does unless it is only to be reported, a warning if it is asked for.
#pragma once

#include "facts/finding.h"

namespace raddle::facts {

struct Failing {
  bool races = true;
  std::uint32_t warnings = 0;  // kinds that count, a bit each

  static constexpr std::uint32_t bit(FindingKind kind) {
    static_assert(static_cast<unsigned>(FindingKind::count) <= 32);
    return std::uint32_t{1} << static_cast<unsigned>(kind);
  }
  constexpr bool counts(FindingKind kind) const {
    if (is_warning(kind)) return (warnings & bit(kind)) != 0;
    return races || kind != FindingKind::data_race;
  }
};

}  // namespace raddle::facts
