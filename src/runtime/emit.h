// SPDX-License-Identifier: Apache-2.0
//
// Events into the ring. Target side. The ring is large enough for most runs; when the engine falls
// behind, the run waits for it, so no event is ever lost.
#pragma once

#include "runtime/locate.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

// Waits until the engine has made room.
void wait_for_ring(std::uint64_t head);

inline void emit(const model::PendingOp& op, ThreadId thread, std::uint64_t value,
                 std::uint8_t flags) {
  if (!running()) return;
  wire::SharedHeader& shared = *g.shared;
  std::uint64_t head = shared.ring_head.load(std::memory_order_relaxed);
  std::uint64_t capacity = shared.ring_capacity;
  if (__builtin_expect(head - shared.ring_tail.load(std::memory_order_relaxed) >= capacity, 0))
    wait_for_ring(head);
  shared.ring()[head & (capacity - 1)] = {
      .where = op.address != 0 ? locate(op.address) : wire::Location{},
      .value = value,
      .site = op.site,
      .step = g.step > 0 ? g.step - 1 : 0,
      .thread = thread,
      .kind = op.kind,
      .flags = flags,
      .size = op.size,
      .order = op.order,
      .reserved = 0,
  };
  shared.ring_head.store(head + 1, std::memory_order_release);
}

// The event of the step that the current thread is carrying out (after pass_point).
inline void emit_step(const model::PendingOp& op, std::uint64_t value, bool failed = false) {
  emit(op, g.current->id, value,
       static_cast<std::uint8_t>(g.event_flags | (failed ? wire::kEventFailed : 0)));
}

// Sync events carry the innermost instrumented caller, for ops inside library functions.
inline std::uint64_t with_caller(ThreadId other = 0) {
  const Fiber& me = *g.current;
  return wire::pack_caller(me.top > me.frames ? site_of(me.top[-1].return_address) : 0, other);
}

}  // namespace raddle::runtime
