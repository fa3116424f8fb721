// SPDX-License-Identifier: Apache-2.0
//
// Events into the ring. Target side. The ring is large enough for most runs; when the engine falls
// behind, the run waits for it, so no event is ever lost.
#pragma once

#include "runtime/locate.h"
#include "runtime/point_sites.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

// Makes room for one more event: waits for the engine if it has to.
void extend_ring();
// The same for choices. Ends the run if there have been too many.
void extend_schedule();

// Writes what more there is to know of the event before it, which was of this operation of the
// current thread. Requires: call stacks are recorded.
void emit_details(const model::PendingOp& op);
// A block was allocated or freed, with its call stack. Requires: call stacks are recorded.
void emit_heap_detail(wire::OpKind kind, std::uintptr_t block, SiteId site);
// The name of the event that was just emitted.
void emit_event_name(const char* name);
// The run ends: what live threads would have done next, if a search wants to know. The current
// thread's operation has been carried out unless it is `waiting`.
void emit_pending(bool waiting);
// One call or lock of them.
void emit_detail(wire::OpKind kind, SiteId site, wire::Location where, ThreadId thread);

inline wire::Event& next_event() {
  if (__builtin_expect(g.record.ring_head == g.record.ring_limit, 0)) extend_ring();
  return g.record.ring[g.record.ring_head & g.record.ring_mask];
}

inline void publish_event() {
  g.shared->ring_head.store(++g.record.ring_head, std::memory_order_release);
}

inline void emit(const model::PendingOp& op, ThreadId thread, std::uint64_t value,
                 std::uint8_t flags) {
  if (!running()) return;
  if (__builtin_expect(g.record.quiet, 0)) {
    bool race = op.kind == wire::OpKind::race || op.kind == wire::OpKind::race_with;
    bool conflict = (flags & wire::kEventConflict) != 0;
    g.raced |= race;
    // A race that is known may be ignored, but not that it is at a place that is new.
    bool learned = !race || (g.site_points && !g.all_points);
    g.noteworthy |= conflict && learned && !is_point_site(op.site);
    return;
  }
  next_event() = {
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
  publish_event();
  if (__builtin_expect(g.record.stacks, 0) && thread == g.current->id) emit_details(op);
}

// The event of the step that the current thread is carrying out (after pass_point).
inline void emit_step(const model::PendingOp& op, std::uint64_t value, bool failed = false) {
  if (g.record.quiet) return;  // a step in itself is not noteworthy
  emit(op, g.current->id, value,
       static_cast<std::uint8_t>(g.event_flags | (failed ? wire::kEventFailed : 0)));
}

// Sync events carry the innermost instrumented caller, for ops inside library functions.
inline std::uint64_t with_caller(ThreadId other = 0) {
  if (g.record.quiet) return 0;  // nobody will read it
  const Fiber& me = *g.current;
  return wire::pack_caller(me.top > me.frames ? site_of(me.top[-1].return_address) : 0, other);
}

}  // namespace raddle::runtime
