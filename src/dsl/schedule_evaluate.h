// SPDX-License-Identifier: Apache-2.0
//
// The value of a condition, given that of its atoms. Both sides; pure. The stack is a word: the
// parser sees to it that 64 values are enough.
#pragma once

#include "dsl/schedule_table.h"

namespace raddle::dsl {

inline bool is_atom(const Instruction& instruction) {
  return instruction.op == Op::occurred || instruction.op == Op::blocked;
}

template <class Value>
bool evaluate(const Schedule& schedule, const Ordering& ordering, Value value) {
  std::uint64_t stack = 0;
  for (unsigned i = 0; i < ordering.count; ++i) {
    const Instruction& here = schedule.code[ordering.first + i];
    if (is_atom(here)) {
      stack = stack << 1 | static_cast<std::uint64_t>(value(here));
    } else if (here.op == Op::both) {
      stack = (stack >> 1) & (stack | ~std::uint64_t{1});
    } else {
      stack = (stack >> 1) | (stack & 1);
    }
  }
  return (stack & 1) != 0;
}

}  // namespace raddle::dsl
