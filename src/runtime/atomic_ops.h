// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of the program, shared by the sanitizer's ABI and libatomic's. Target side.
//
// Under control one thread runs at a time, so a point followed by a plain computation is atomic and
// sequentially consistent. Off, the operation is carried out with real atomics.
#pragma once

#include "runtime/controller.h"
#include "runtime/emit.h"
#include "runtime/locate.h"
#include "runtime/order.h"
#include "runtime/quick_point.h"
#include "runtime/quick_update.h"
#include "runtime/shadow.h"
#include "runtime/spin.h"

namespace raddle::runtime {

void tick(std::uintptr_t pc);  // access.h

inline bool atomics_are_points() { return running() && g.live_count > 1; }

inline PendingOp& atomic_op(OpKind kind, const volatile void* address, std::size_t size, int order,
                            std::uintptr_t pc) {
  PendingOp& op = next_op(kind, site_of(pc));
  op.order = static_cast<std::uint8_t>(order);
  op.size = static_cast<std::uint16_t>(size);
  op.address = reinterpret_cast<std::uintptr_t>(address);
  return op;
}

// Orders what the operation orders, and checks it against plain accesses to the same bytes. Where
// races are not looked for: only that the memory is still there.
void race_atomic(const PendingOp& op, bool writes);

// The same for an operation that was no point, since nobody else is alive: what it orders may
// concern threads that have ended.
inline void race_atomic_alone(OpKind kind, const volatile void* address, std::size_t size,
                              int order, std::uintptr_t pc, bool writes) {
  if (!running()) return;
  if (__builtin_expect(--g.access_budget <= 0, 0)) tick(pc);
  // For a search: it may come before what those threads did, in another run.
  bool noted = g.record.sets != nullptr && g.thread_count > 1 && !g.record.quiet;
  if (!noted && !tracking()) return;
  const PendingOp& op = atomic_op(kind, address, size, order, pc);
  if (noted) emit(op, g.current->id, 0, 0);
  if (tracking()) race_atomic(op, writes);
}

// 16-byte operations exist as compare-and-swap only.
template <class T>
T real_compare_swap(volatile T* address, T expected, T desired) {
  return __sync_val_compare_and_swap(address, expected, desired);
}

template <class T>
T real_load(const volatile T* address) {
  if constexpr (sizeof(T) <= 8)
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  else
    return real_compare_swap(const_cast<volatile T*>(address), T{0}, T{0});
}

// Applies old -> next(old); returns old.
template <class T, class Next>
T real_update(volatile T* address, Next next) {
  T old = real_load(address);
  for (;;) {
    T seen = real_compare_swap(address, old, static_cast<T>(next(old)));
    if (seen == old) return old;
    old = seen;
  }
}

template <class T>
T atomic_load(const volatile T* address, int order, std::uintptr_t pc) {
  if (!atomics_are_points()) {
    T value = real_load(address);
    race_atomic_alone(OpKind::atomic_load, address, sizeof(T), order, pc, false);
    return value;
  }
  PendingOp& op = atomic_op(OpKind::atomic_load, address, sizeof(T), order, pc);
  note_read(op);
  pass_usual_point();
  T value = *address;
  emit_step(op, static_cast<std::uint64_t>(value));
  if (tracking()) race_atomic(op, false);
  return value;
}

// A test-and-set that changes nothing is the turn of a spin loop.
template <class T, class Next>
void note_update(const PendingOp& op, const volatile T* address, Next next) {
  T before = *address;
  if (static_cast<T>(next(before)) == before)
    note_read(op);
  else
    note_progress();
}

// A read-modify-write where accesses are checked quickly. Requires: it is a point.
template <class T, class Next>
T quick_update(volatile T* address, int order, std::uintptr_t pc, Next next) {
  const PendingOp& op = atomic_op(OpKind::atomic_rmw, address, sizeof(T), order, pc);
  note_update(op, address, next);
  pass_quick_point();
  T old = *address;
  *address = static_cast<T>(next(old));
  if (!race_quick_update(reinterpret_cast<std::uintptr_t>(address), sizeof(T), order, op.site))
    race_atomic(op, true);
  return old;
}

// A store, or a read-modify-write when `kind` says so; returns the value before.
template <class T, class Next>
T atomic_update(OpKind kind, volatile T* address, int order, std::uintptr_t pc, Next next) {
  if (kind == OpKind::atomic_rmw && sizeof(T) <= 8 && checks_quickly() && g.live_count > 1)
    return quick_update(address, order, pc, next);
  if (!atomics_are_points()) {
    T old = real_update(address, next);
    race_atomic_alone(kind, address, sizeof(T), order, pc, true);
    return old;
  }
  PendingOp& op = atomic_op(kind, address, sizeof(T), order, pc);
  if (kind == OpKind::atomic_rmw)
    note_update(op, address, next);
  else
    note_progress();
  pass_usual_point();
  T old = *address;
  *address = static_cast<T>(next(old));
  emit_step(op, static_cast<std::uint64_t>(old));
  if (tracking()) race_atomic(op, true);
  return old;
}

// Returns the value before; the exchange took place if it equals `expected`.
template <class T>
T atomic_compare_swap(volatile T* address, T expected, T desired, int order, std::uintptr_t pc) {
  if (!atomics_are_points()) {
    T old = real_compare_swap(address, expected, desired);
    race_atomic_alone(OpKind::atomic_cas, address, sizeof(T), order, pc, old == expected);
    return old;
  }
  PendingOp& op = atomic_op(OpKind::atomic_cas, address, sizeof(T), order, pc);
  if (*address == expected)
    note_progress();
  else
    note_read(op);
  pass_usual_point();
  T old = *address;
  bool swapped = old == expected;
  if (swapped) *address = desired;
  emit_step(op, static_cast<std::uint64_t>(old), !swapped);
  if (tracking()) race_atomic(op, swapped);
  return old;
}

}  // namespace raddle::runtime
