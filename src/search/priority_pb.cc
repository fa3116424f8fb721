// SPDX-License-Identifier: Apache-2.0
//
// pb: runs with fewer preemptions first. Gambit, section 4.1. Engine side.
#include <algorithm>

#include "search/priority_list.h"

namespace raddle::search {

std::uint64_t priority_pb(const Alternative& alternative) {
  constexpr std::uint32_t kMost = 0xffff;
  const Execution& execution = alternative.execution;
  if (alternative.is_value) return std::min(execution.sets(alternative.choice).preemptions, kMost);
  return std::min(execution.preemptions_with(alternative.choice, alternative.pick), kMost);
}

}  // namespace raddle::search
