// SPDX-License-Identifier: Apache-2.0
//
// See invariants.h. Engine side; pure.
#include "analysis/invariants.h"

#include <set>

namespace raddle::analysis {

void Training::add(std::span<const SiteId> candidates,
                   std::span<const Interleaving> interleavings) {
  std::set<SiteId> violated;
  for (const Interleaving& each : interleavings) violated.insert(each.i);
  bool changed = false;
  for (SiteId site : candidates) {
    Count& count = counts_[site];
    bool held = holds(count);
    ++count.runs;
    if (violated.contains(site)) ++count.violations;
    if (holds(count) == held) continue;
    changed = true;
    held ? --invariants_ : ++invariants_;
  }
  ++runs_;
  unchanged_ = changed ? 0 : unchanged_ + 1;
}

}  // namespace raddle::analysis
