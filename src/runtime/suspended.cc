// SPDX-License-Identifier: Apache-2.0
//
// Waits that signal handlers keep from going on: notifications that come meanwhile are kept for
// them. Target side.
#include "runtime/suspended.h"

#include <unistd.h>

#include "runtime/real.h"

namespace raddle::runtime {

bool gives_up_after(const Wait& wait, const SuspendedWait& before, const Delivery& delivery) {
  bool may_give_up = wait.interruption == Interruption::always ||
                     (wait.interruption == Interruption::restartable && !delivery.restart);
  return may_give_up && delivery.count > 0 && before.blocked && !before.signalled;
}

void resume_in_child(const Wait& wait, const SuspendedWait& before, const Delivery& delivery) {
  Fiber& me = *g.current;
  me.eintr = gives_up_after(wait, before, delivery);
  me.signalled = before.signalled;
  me.timed_out = wait.deadline_ns != 0 && before.blocked && !before.signalled;
  bool goes_on = me.eintr || me.signalled || me.timed_out || !before.blocked;
  while (!goes_on && before.outside == nullptr) RADDLE_REAL(pause)();
}

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
