// SPDX-License-Identifier: Apache-2.0
//
// What an atomic operation means for the race detector. Target side.
#include "runtime/atomic_ops.h"

#include "runtime/race.h"

namespace raddle::runtime {

void race_atomic(const PendingOp& op, bool writes) {
  if (!running()) return;
  if (op.kind == OpKind::atomic_store)
    order_atomic_store(op.address, op.order);
  else if (op.kind == OpKind::atomic_load || !writes)
    order_atomic_load(op.address, op.order);
  else
    order_atomic_update(op.address, op.order);
  observe_atomic(op.address, op.size, writes, op.site);
}

}  // namespace raddle::runtime
