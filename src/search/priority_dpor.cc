// SPDX-License-Identifier: Apache-2.0
//
// dpor: alternatives that partial-order reduction asks for first. Gambit, section 4.1. Engine side.
#include "search/priority_list.h"

namespace raddle::search {

std::uint64_t priority_dpor(const Alternative& alternative) {
  return alternative.by_dpor || alternative.is_value ? 0 : 1;
}

}  // namespace raddle::search
