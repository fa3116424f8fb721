// SPDX-License-Identifier: Apache-2.0
//
// Violations of learned atomicity, as a campaign tells them apart. Engine side; pure.
#pragma once

#include <array>

#include "facts/evidence.h"

namespace raddle::search {

// More than that a campaign does not report: what is violated everywhere was learned badly.
inline constexpr std::size_t kViolationsMax = 32;

// The places of P, the remote access and I.
inline std::array<SiteId, 3> violation_places(const facts::Evidence& violation) {
  return {violation.events[0].site, violation.events[1].site, violation.events[2].site};
}

}  // namespace raddle::search
