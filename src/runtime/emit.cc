// SPDX-License-Identifier: Apache-2.0
//
// Room in the areas that a run is recorded in. Target side.
//
// The areas are shared memory, which a forked run has to map page by page; a page fault costs as
// much as dozens of steps. So pages are mapped ahead in growing batches: a short run pays for the
// one page it touches, a long one a few system calls. Mapping for reading is enough, for pages of
// shared memory are mapped writable either way, and the kernel maps several neighbours at once.
#include "runtime/emit.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/fatal.h"
#include "runtime/in_process.h"
#include "runtime/locals.h"
#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kBatchMax = 512 << 10;
#ifndef MADV_POPULATE_READ
constexpr int MADV_POPULATE_READ = 22;  // Linux 5.14; older kernels refuse, and pages fault
#endif

// `used` elements of an area are in use and mapped; maps as many again, up to a batch or the end.
// Returns how many are mapped then.
template <class T>
std::uint64_t map_ahead(T* area, std::uint64_t used, std::uint64_t capacity) {
  std::uint64_t bytes = used * sizeof(T) < kPage ? kPage : used * sizeof(T);
  if (bytes > kBatchMax) bytes = kBatchMax;
  auto begin = reinterpret_cast<std::uintptr_t>(area + used);
  std::uintptr_t end = (begin + bytes + kPage - 1) & ~(kPage - 1);
  if (auto limit = reinterpret_cast<std::uintptr_t>(area + capacity); end > limit) end = limit;
  if (used > 0) {
    std::uintptr_t first = begin & ~(kPage - 1);
    // Without libc: to look its function up may free memory, which is an event.
    raw_call(SYS_madvise, static_cast<long>(first), static_cast<long>(end - first),
             MADV_POPULATE_READ);
  }
  return (end - reinterpret_cast<std::uintptr_t>(area)) / sizeof(T);
}

// A thread's call stack and locks, for an event at `site`.
void emit_frames(SiteId site, const Fiber& me) {
  std::uintptr_t above =
      me.library_frame != 0 && is_system_site(site) ? nearest_program_pc(me, me.library_frame) : 0;
  if (above != 0) emit_detail(wire::OpKind::frame, site_of(above), {}, me.id);
  const ShadowFrame* last =
      me.top - me.frames > wire::kEventFramesMax ? me.top - wire::kEventFramesMax : me.frames;
  for (const ShadowFrame* frame = me.top; frame-- > last;)
    emit_detail(wire::OpKind::frame, site_of(frame->return_address), {}, me.id);
  for (unsigned i = 0; i < me.held_count; ++i)
    emit_detail(wire::OpKind::held, 0, locate(me.held[i].object->address), me.id);
}

}  // namespace

void emit_detail(wire::OpKind kind, SiteId site, wire::Location where, ThreadId thread) {
  next_event() = {.where = where,
                  .value = 0,
                  .site = site,
                  .step = 0,
                  .thread = thread,
                  .kind = kind,
                  .flags = 0,
                  .size = 0,
                  .order = 0,
                  .reserved = 0};
  publish_event();
}

void emit_details(const model::PendingOp& op) {
  if (op.address != 0) emit_local(op.address, op.site);
  emit_frames(op.site, *g.current);
}

void emit_heap_detail(wire::OpKind kind, std::uintptr_t block, SiteId site) {
  emit_detail(kind, site, locate(block), g.current->id);
  emit_frames(site, *g.current);
}

void emit_pending(bool waiting) {
  if (g.record.sets == nullptr || g.record.quiet || !running()) return;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    const model::PendingOp& op = g.views[id].op;
    bool pends = g.fibers[id].state == FiberState::alive && (waiting || id != g.current->id);
    if (!pends) continue;
    next_event() = {
        .where = op.address != 0 ? locate(op.address) : wire::Location{},
        .value = op.second != 0 ? locate(op.second).key() : 0,
        .site = op.site,
        .step = g.step > 0 ? g.step - 1 : 0,
        .thread = id,
        .kind = wire::OpKind::pending,
        .flags = static_cast<std::uint8_t>((g.views[id].yielding ? wire::kEventGaveWay : 0) |
                                           (g.enabled.contains(id) ? wire::kEventChoice : 0)),
        .size = op.size,
        .order = static_cast<std::uint8_t>(op.kind),
        .reserved = op.order};
    publish_event();
    if (g.record.stacks) emit_frames(op.site, g.fibers[id]);
  }
}

void emit_event_name(const char* name) {
  if (!running() || g.record.quiet) return;
  for (std::size_t length = strlen(name), at = 0; at < length; at += wire::kEventNameChunk) {
    wire::Event event{};
    char chunk[wire::kEventNameChunk] = {};
    memcpy(chunk, name + at, length - at < sizeof chunk ? length - at : sizeof chunk);
    memcpy(&event.where, chunk, sizeof event.where);
    memcpy(&event.value, chunk + sizeof event.where, sizeof event.value);
    event.step = g.step > 0 ? g.step - 1 : 0;
    event.thread = g.current->id;
    event.kind = wire::OpKind::event_name;
    next_event() = event;
    publish_event();
  }
}

void extend_ring() {
  const wire::SharedHeader& shared = *g.shared;
  std::uint64_t capacity = shared.ring_capacity;
  if (g.record.ring_head < capacity) {  // the first lap
    g.record.ring_limit = map_ahead(g.record.ring, g.record.ring_head, capacity);
    return;
  }
  if (in_place()) {  // nobody empties it: the rest of the run is not recorded
    g.record.quiet = true;
    --g.record.ring_head;
    return;
  }
  auto limit = [&] { return shared.ring_tail.load(std::memory_order_acquire) + capacity; };
  while (g.record.ring_head == limit()) {
    timespec pause{0, 200'000};
    raw_call(SYS_nanosleep, as_word(&pause));
  }
  g.record.ring_limit = limit();
}

void extend_schedule() {
  if (g.record.choices == g.shared->schedule_capacity) end_run({.kind = wire::VerdictKind::limit});
  g.record.schedule_limit = static_cast<std::uint32_t>(
      map_ahead(g.record.schedule, g.record.choices, g.shared->schedule_capacity));
}

}  // namespace raddle::runtime
