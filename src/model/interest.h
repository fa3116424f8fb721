// SPDX-License-Identifier: Apache-2.0
//
// Which operations on a variable or object the policy surw samples the order of, when it has chosen
// that object. Both sides; pure: the engine counts by it what the policy will meet.
//
// Accesses to memory count. Of a lock only the acquisition does: where a critical section ends is
// decided by where it began, and the order of two critical sections is that of their acquisitions.
// The same holds for the ends of a once and of a barrier, which only wait for the others.
#pragma once

#include "wire/op.h"

namespace raddle::model {

constexpr bool decides_order(wire::OpKind kind) {
  using wire::OpClass;
  using wire::OpKind;
  switch (kind) {
    case OpKind::mutex_unlock:
    case OpKind::rwlock_unlock:
    case OpKind::once_leave:
    case OpKind::barrier_leave:
    case OpKind::futex_resume:
    case OpKind::team_idle:
    case OpKind::work_ordered:
    case OpKind::task_wait:
    case OpKind::object_init:
    case OpKind::object_destroy:
      return false;
    default: {
      OpClass c = wire::op_class(kind);
      return c != OpClass::thread && c != OpClass::global && c != OpClass::pause &&
             c != OpClass::mark;
    }
  }
}

}  // namespace raddle::model
