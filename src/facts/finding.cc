// SPDX-License-Identifier: Apache-2.0
//
// Finding kinds by name. Engine side.
#include "facts/finding.h"

namespace raddle::facts {

std::optional<FindingKind> finding_kind(std::string_view name) {
  for (std::size_t i = 0; i < kFindingNames.size(); ++i)
    if (kFindingNames[i] == name) return static_cast<FindingKind>(i);
  return std::nullopt;
}

}  // namespace raddle::facts
