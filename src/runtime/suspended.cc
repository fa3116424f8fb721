// SPDX-License-Identifier: Apache-2.0
//
// Waits that signal handlers keep from going on: notifications that come meanwhile are kept for
// them. Target side.
#include "runtime/controller.h"

namespace raddle::runtime {

void notify(const Sleeper& sleeper) {
  if (sleeper.suspended != nullptr)
    sleeper.suspended->signalled = true;
  else
    notify(*sleeper.fiber);
}

void notify_joiner(Fiber& joiner, ThreadId ended) {
  for (unsigned i = 0; i < joiner.suspended_count; ++i)
    if (model::PendingOp& op = joiner.suspended[i].op;
        op.kind == OpKind::thread_join && op.other == ended) {
      joiner.suspended[i].signalled = true;
      return;
    }
  notify(joiner);
}

void drop_suspended_below(std::uintptr_t frame) {
  Fiber& me = *g.current;
  while (me.suspended_count > 0 && me.suspended[me.suspended_count - 1].frame < frame) {
    --me.suspended_count;
    --g.suspended_total;
  }
}

}  // namespace raddle::runtime
