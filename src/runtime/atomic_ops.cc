// SPDX-License-Identifier: Apache-2.0
//
// What an atomic operation means for the race detector. Target side.
#include "runtime/atomic_ops.h"

#include "runtime/access.h"
#include "runtime/quick_check.h"

namespace raddle::runtime {

namespace {

__attribute__((noinline)) void check_atomic(const PendingOp& op, bool writes) {
  std::uint64_t mine = access_bits(op.address, op.size, writes) | kAtomicBit;
  bool in_one_granule = (op.address & 7) + op.size <= 8;
  if (!checks_quickly() || !in_one_granule || !check_quickly(op.address, mine, op.site))
    observe_atomic(op.address, op.size, writes, op.site);
}

// In this order: an operation sees what it acquires, and is part of what it releases. Whoever
// acquires that may go on plainly.
__attribute__((noinline)) void race_atomic_anyhow(const PendingOp& op, bool writes) {
  bool stores = op.kind == OpKind::atomic_store;
  if (!stores) order_atomic_load(op.address, op.order);
  check_atomic(op, writes);
  if (stores)
    order_atomic_store(op.address, op.order);
  else if (writes)
    order_atomic_update(op.address, op.order);
}

}  // namespace

void race_atomic(const PendingOp& op, bool writes) {
  if (running()) race_atomic_anyhow(op, writes);
}

}  // namespace raddle::runtime
