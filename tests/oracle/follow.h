// SPDX-License-Identifier: Apache-2.0
//
// One execution of a small program, given by the order of its operations, on the abstract machine.
// Tests only.
#pragma once

#include <set>

#include "oracle/machine.h"

namespace raddle::oracle {

// Whether the order of operations determines an execution: a wait and a barrier are two steps each,
// of which only the second can be told from outside.
bool can_follow(const Program& program);

struct Followed {
  std::string problem;  // why this is no execution of the program; empty if it is
  std::string outcome;
  std::set<Race> races;
};

// Requires: can_follow(program).
Followed follow(const Program& program, const std::vector<unsigned>& sites);

}  // namespace raddle::oracle
