// SPDX-License-Identifier: Apache-2.0
//
// The one table that says which operations depend on each other: exchanging two neighbouring
// independent operations of different threads leads to the same state. POS, partial-order
// reduction, sleep sets and the oracles of the tests all use it. Both sides; pure.
//
// - memory: the bytes overlap and one of the two writes (read-modify-write and compare-exchange
//   count as writes, also when they fail; free is a write of the whole block)
// - synchronisation: both concern one object, unless both take or give back read locks, or both
//   leave a barrier
// - freeing a block depends on operations on synchronisation objects in it, too
// - I/O: on one descriptor; what concerns several of them (poll, accept, connect, close, locks on
//   files) depends on all I/O
// - threads: create, exit, join order operations but race with nothing
// - signals concern other threads wherever they are: they depend on everything; so do the events of
//   an event schedule, which may ask whether somebody is blocked
#pragma once

#include "model/pending_op.h"

namespace raddle::model {

constexpr bool bytes_overlap(std::uintptr_t a, std::uintptr_t a_size, std::uintptr_t b,
                             std::uintptr_t b_size) {
  return a < b + b_size && b < a + a_size;
}

constexpr bool bytes_overlap(const PendingOp& a, const PendingOp& b) {
  constexpr std::uintptr_t kHuge = std::uintptr_t{1} << 31;
  auto extent = [](const PendingOp& op) { return op.size == kHugeSize ? kHuge : op.size; };
  return bytes_overlap(a.address, extent(a), b.address, extent(b));
}

constexpr bool frees(const PendingOp& op, std::uintptr_t object) {
  PendingOp place;
  place.address = object;
  place.size = 1;
  return object != 0 && op.kind == OpKind::memory_free && bytes_overlap(op, place);
}

constexpr bool touches(const PendingOp& op, std::uintptr_t object) {
  return object != 0 && (op.address == object || op.second == object);
}

constexpr bool concerns_all(OpKind kind) {
  return wire::op_class(kind) == wire::OpClass::global || kind == OpKind::event;
}

constexpr bool is_io(OpKind kind) {
  return kind == OpKind::io_read || kind == OpKind::io_write || kind == OpKind::io_poll ||
         kind == OpKind::io_accept || kind == OpKind::io_connect || kind == OpKind::io_close ||
         kind == OpKind::file_lock;
}
constexpr bool concerns_all_io(OpKind kind) {
  return is_io(kind) && kind != OpKind::io_read && kind != OpKind::io_write;
}

constexpr bool dependent(const PendingOp& a, const PendingOp& b) {
  using wire::OpClass;
  OpClass ca = wire::op_class(a.kind, a.order);
  OpClass cb = wire::op_class(b.kind, b.order);
  if (ca == OpClass::mark || cb == OpClass::mark) return false;
  if (concerns_all(a.kind) || concerns_all(b.kind)) return true;
  bool a_memory = wire::is_memory_access(a.kind);
  bool b_memory = wire::is_memory_access(b.kind);
  if (a_memory && b_memory)
    return (wire::writes_memory(a.kind) || wire::writes_memory(b.kind)) && bytes_overlap(a, b);
  bool a_sync = ca == OpClass::sync || ca == OpClass::shared;
  bool b_sync = cb == OpClass::sync || cb == OpClass::shared;
  if (a_memory && b_sync) return frees(a, b.address) || frees(a, b.second);
  if (b_memory && a_sync) return frees(b, a.address) || frees(b, a.second);
  if (!a_sync || !b_sync) return false;
  if (ca == OpClass::shared && cb == OpClass::shared) return false;
  if (is_io(a.kind) && is_io(b.kind) && (concerns_all_io(a.kind) || concerns_all_io(b.kind)))
    return true;
  return touches(a, b.address) || touches(a, b.second);
}

}  // namespace raddle::model
