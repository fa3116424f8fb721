// SPDX-License-Identifier: Apache-2.0
//
// The functions of the priority_*.cc files, for the list in priority.cc. Engine side.
#pragma once

#include "search/priority.h"

namespace raddle::search {

std::uint64_t priority_pb(const Alternative& alternative);
std::uint64_t priority_dpor(const Alternative& alternative);
std::uint64_t priority_mdpor(const Alternative& alternative);
std::uint64_t priority_ss(const Alternative& alternative);
std::uint64_t priority_rand(const Alternative& alternative);
std::uint64_t priority_method(const Alternative& alternative);
std::uint64_t priority_var(const Alternative& alternative);

}  // namespace raddle::search
