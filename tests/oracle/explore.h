// SPDX-License-Identifier: Apache-2.0
//
// All executions of a small program by brute force: depth first over every possible step, each
// state once. Tests only.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "oracle/machine.h"

namespace raddle::oracle {

struct Census {
  std::set<std::string> outcomes;  // as Machine::outcome puts them
  std::set<Race> races;            // of any execution
  std::uint64_t executions = 0;    // different sequences of steps
  std::size_t states = 0;
  bool cut = false;  // there are more than the allowed number of states
};

Census explore(const Program& program, std::size_t states_max = 1000000);

}  // namespace raddle::oracle
