// SPDX-License-Identifier: Apache-2.0
//
// Explanation: why a run failed, as the orders of operations that passing runs do not have. Engine
// side; a value that report/ prints.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "facts/finding.h"

namespace raddle::facts {

struct ExplainedOperation {
  ThreadId thread = 0;
  std::string thread_name;  // "" if it has none
  std::string words;        // "read balance = 100"
  std::string variable;     // what it concerns; "" if nothing
  Frame where;              // in the user's code if possible
  StepIndex step = 0;
};

struct ExplainedCause {
  std::string label;  // atomicity, order, deadlock, multi-variable
  std::string sentence;
  std::vector<ExplainedOperation> operations;
  // Positions in `operations`: the first came before the second.
  std::vector<std::pair<std::size_t, std::size_t>> orders;
  std::uint64_t failing = 0;  // of the other runs that fail in the same way, those that have it
};

struct Explanation {
  Finding finding;
  std::uint64_t runs = 0;              // made to compare with
  std::uint64_t passing = 0;           // different ones that pass
  std::uint64_t failing = 0;           // different ones that fail in the same way
  std::uint64_t others = 0;            // that end otherwise
  std::uint64_t distance = 0;          // orders that the nearest passing run does not share
  std::vector<ExplainedCause> causes;  // the likely one first
  std::string nothing;                 // why there is none, or not all that could be, in words
};

}  // namespace raddle::facts
