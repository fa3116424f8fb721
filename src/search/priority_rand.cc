// SPDX-License-Identifier: Apache-2.0
//
// rand: in random order: a random walk of the execution tree that repeats nothing and ends. Gambit,
// section 4.2. Engine side.
#include "search/priority_list.h"

namespace raddle::search {

std::uint64_t priority_rand(const Alternative& alternative) { return alternative.random >> 32; }

}  // namespace raddle::search
