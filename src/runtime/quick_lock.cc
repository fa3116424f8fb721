// SPDX-License-Identifier: Apache-2.0
//
// See quick_lock.h.
#include "runtime/quick_lock.h"

#include "runtime/enabled.h"
#include "runtime/quick_point.h"
#include "runtime/sync_step.h"

namespace raddle::runtime {
namespace {

PendingOp& quick_sync_op(OpKind kind, SyncObject& mutex, SiteId site) {
  PendingOp& op = next_op(kind, site);
  op.address = mutex.address;
  g.current->op_object = &mutex;
  mutex.users |= model::user_bit(g.current->id);
  return op;
}

// As refresh(), knowing what has happened: the mutex has been locked, or is free again.
void hold_waiters_back(SyncObject& mutex) {
  // Whose deadline has come needs nothing from it.
  for_each_waiter(mutex, [](Fiber& each) { set_enabled(each, each.timed_out && can_run(each)); });
}
void let_waiters_go_on(SyncObject& mutex) {
  for_each_waiter(mutex, [](Fiber& each) { set_enabled(each, !each.on_cond); });
}

// As note_released(): as a rule it is the last one taken.
void let_go(Fiber& me, SyncObject& mutex) {
  unsigned count = me.held_count;
  if (count > 0 && me.held[count - 1].object == &mutex)
    me.held_count = static_cast<std::uint8_t>(count - 1);
  else
    note_released(mutex);
}

}  // namespace

int lock_quickly(SyncObject& mutex, SiteId site) {
  const PendingOp& op = quick_sync_op(OpKind::mutex_lock, mutex, site);
  note_progress();
  pass_quick_point(mutex, mutex.mutex.owner == kNoThread);
  check_object(mutex, op);
  Fiber& me = *g.current;
  mutex.mutex.owner = me.id;
  mutex.mutex.depth = 1;
  mutex.mutex.acquired_at = site;
  if (me.held_count < kHeldEntriesMax)
    me.held[me.held_count++] = {&mutex, site, OpKind::mutex_lock};
  join_clock(me.clock, clocks_of(mutex).first);
  hold_waiters_back(mutex);
  return 0;
}

int unlock_quickly(SyncObject& mutex, SiteId site) {
  const PendingOp& op = quick_sync_op(OpKind::mutex_unlock, mutex, site);
  pass_quick_point();
  check_object(mutex, op);
  Fiber& me = *g.current;
  if (__builtin_expect(mutex.mutex.owner != me.id, 0)) return finish_unlock(mutex, op);
  mutex.mutex.owner = kNoThread;
  mutex.mutex.depth = 0;
  let_go(me, mutex);
  order_hand_on(clocks_of(mutex).first);
  let_waiters_go_on(mutex);
  return 0;
}

}  // namespace raddle::runtime
