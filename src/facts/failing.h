// SPDX-License-Identifier: Apache-2.0
//
// Failing: which findings count, so that the exit code is 1 or the unit test fails. Engine side.
// Most kinds always do; a race does unless it is only to be reported, a warning if it is asked for.
#pragma once

#include <algorithm>
#include <vector>

#include "facts/finding_kind.h"

namespace raddle::facts {

struct Failing {
  bool races = true;
  std::vector<FindingKind> warnings = {};  // that count

  bool counts(const FindingKind& kind) const {
    if (kind.is_warning()) return std::ranges::find(warnings, kind) != warnings.end();
    return races || kind.severity != Severity::race;
  }
};

}  // namespace raddle::facts
