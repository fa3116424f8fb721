// SPDX-License-Identifier: Apache-2.0
//
// var: first where both the step being put off and the one put before it concern a variable that
// the user named (--var), then where one of them does, then the rest. Gambit, section 4.3. Engine
// side.
#include <algorithm>

#include "search/priority_list.h"

namespace raddle::search {
namespace {

bool next_on_variable(const Alternative& alternative, ThreadId thread, std::uint32_t from) {
  return std::ranges::any_of(
      alternative.execution.next_ops(thread, from),
      [&](const model::PendingOp& op) { return alternative.focus->on_variable(op); });
}

}  // namespace

std::uint64_t priority_var(const Alternative& alternative) {
  if (alternative.focus == nullptr || alternative.is_value) return 2;
  const Execution& execution = alternative.execution;
  std::uint32_t step = execution.step_of(alternative.choice);
  ThreadId picked = execution.choices()[alternative.choice].picked;
  bool put_off = next_on_variable(alternative, picked, step);
  bool put_before = next_on_variable(alternative, alternative.pick, step);
  return 2u - (put_off ? 1u : 0u) - (put_before ? 1u : 0u);
}

}  // namespace raddle::search
