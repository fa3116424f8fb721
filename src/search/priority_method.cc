// SPDX-License-Identifier: Apache-2.0
//
// method: first where both the function being preempted and the one preempting it are among those
// that the user named (--method), then where one of them is, then the rest. Gambit, section 4.3.
// Engine side.
#include "search/priority_list.h"

namespace raddle::search {
namespace {

bool next_in_method(const Alternative& alternative, ThreadId thread, std::uint32_t from) {
  auto ops = alternative.execution.next_ops(thread, from);
  return !ops.empty() && alternative.focus->in_method(ops[0].site);
}

}  // namespace

std::uint64_t priority_method(const Alternative& alternative) {
  if (alternative.focus == nullptr || alternative.is_value) return 2;
  const Execution& execution = alternative.execution;
  std::uint32_t step = execution.step_of(alternative.choice);
  bool preempted =
      next_in_method(alternative, execution.choices()[alternative.choice].picked, step);
  bool preempting = next_in_method(alternative, alternative.pick, step);
  return 2u - (preempted ? 1u : 0u) - (preempting ? 1u : 0u);
}

}  // namespace raddle::search
