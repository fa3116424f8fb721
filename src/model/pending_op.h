// SPDX-License-Identifier: Apache-2.0
//
// PendingOp: what a thread is about to do. Both sides; pure data.
#pragma once

#include "wire/op.h"

namespace raddle::model {

using wire::OpKind;

// Whether an operation of the kind is carried out only when its object grants it.
constexpr bool may_wait(OpKind kind) {
  switch (kind) {
    case OpKind::mutex_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::rwlock_read:
    case OpKind::rwlock_timed_read:
    case OpKind::rwlock_write:
    case OpKind::rwlock_timed_write:
    case OpKind::cond_wake:
    case OpKind::sem_wait:
    case OpKind::sem_timed_wait:
    case OpKind::barrier_leave:
    case OpKind::once_enter:
    case OpKind::futex_resume:
    case OpKind::io_read:
    case OpKind::io_write:
    case OpKind::io_poll:
    case OpKind::io_accept:
    case OpKind::io_connect:
    case OpKind::file_lock:
    case OpKind::child_wait:
    case OpKind::team_idle:
    case OpKind::work_ordered:
    case OpKind::task_wait:
    case OpKind::event:
    case OpKind::process_exit:
      return true;
    default:
      return false;
  }
}

// A size that stands for every larger one as well.
inline constexpr std::uint16_t kHugeSize = 0xffff;

struct PendingOp {
  OpKind kind = OpKind::none;
  std::uint8_t order = 0;  // memory order of an atomic; of an rwlock_unlock: wire::kReadSide
  std::uint16_t size = 0;  // bytes of a memory access, kHugeSize: so many or more
  SiteId site = 0;
  std::uintptr_t address = 0;  // the object, or the first byte accessed
  std::uintptr_t second = 0;   // a condvar's mutex; 0 if none
  ThreadId other = 0;          // thread created or joined
  std::uint32_t serial = 0;    // changes with every operation that the thread publishes
};

// What policies and filters may know about one thread.
struct ThreadView {
  PendingOp op;
  StepIndex last_run = 0;       // step at which it last ran
  StepIndex enabled_since = 0;  // step at which it last became enabled
  StepIndex yielded_at = 0;     // meaningful while yielding
  bool yielding = false;        // its last step was a yield, a sleep or a turn of a spin loop
};

}  // namespace raddle::model
