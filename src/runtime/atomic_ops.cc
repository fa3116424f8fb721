// SPDX-License-Identifier: Apache-2.0
//
// What an atomic operation means for the race detector. Target side.
#include "runtime/atomic_ops.h"

#include "runtime/access.h"
#include "runtime/heap.h"
#include "runtime/quick_check.h"
#include "runtime/sharing.h"

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
  if (!running()) return;
  if (races_wanted()) return race_atomic_anyhow(op, writes);
  check_owned(op.address, op.size, writes, op.site);
  for_each_granule(op.address, op.size, [&](std::uintptr_t granule, std::uint8_t mask) {
    if ((cell_of(granule).poison & mask) != 0)
      report_heap_access(op.address, op.size, writes, op.site);
  });
}

}  // namespace raddle::runtime
