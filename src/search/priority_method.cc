// SPDX-License-Identifier: Apache-2.0
//
// method: first where both the thread being preempted and the one preempting it are in functions
// that the user named (--method), then where one of them is, then the rest. Gambit, section 4.3.
// Engine side. A thread is in a function as long as that is on its stack, as in Gambit's case
// studies, which name the methods that a test calls.
#include <algorithm>

#include "search/priority_list.h"

namespace raddle::search {
namespace {

bool next_in_method(const Alternative& alternative, ThreadId thread, std::uint32_t from) {
  auto ops = alternative.execution.next_ops(thread, from);
  if (ops.empty()) return false;
  Focus& focus = *alternative.focus;
  auto in_method = [&](SiteId site) { return focus.in_method(site); };
  return in_method(ops[0].site) ||
         std::ranges::any_of(alternative.execution.next_callers(thread, from), in_method);
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
