// SPDX-License-Identifier: Apache-2.0
//
// The directed runs that try a potential deadlock. Engine side; pure.
#pragma once

#include <vector>

#include "facts/evidence.h"
#include "facts/run.h"

namespace raddle::detect {

// So many runs try one potential deadlock.
inline constexpr unsigned kDirectedMax = 5;

// The runs that try to make the cycle a deadlock, kDirectedMax of them: its threads in every order
// in which they can follow each other around it, then at random. `plan` is that of a run.
std::vector<facts::Plan> directed_plans(const facts::Plan& plan, const facts::Evidence& cycle);

}  // namespace raddle::detect
