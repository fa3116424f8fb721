// SPDX-License-Identifier: Apache-2.0
//
// ss: alternatives that a sleep set would leave out last. Gambit, section 4.1. Engine side.
#include "search/priority_list.h"

namespace raddle::search {

std::uint64_t priority_ss(const Alternative& alternative) { return alternative.asleep ? 1 : 0; }

}  // namespace raddle::search
