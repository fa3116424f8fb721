// SPDX-License-Identifier: Apache-2.0
//
// Looking for what a test leaves behind. Target side. See leftovers.h.
#include "runtime/leftovers.h"

#include "runtime/fatal.h"
#include "runtime/locate.h"
#include "runtime/misuse.h"
#include "runtime/restore.h"
#include "wire/batch.h"

namespace raddle::runtime {
namespace {

using model::ObjectKind;
using wire::VerdictKind;

// More than a small test has. What goes beyond is not looked at: it can only be missed.
constexpr std::uint32_t kInitialisedMax = 1024;
struct Initialised {
  const void* object;
  std::uintptr_t pc;
  ObjectKind kind;
};
Initialised initialised[kInitialisedMax];
std::uint32_t initialised_count;

wire::Undestroyed::Kind kind_of(ObjectKind kind) {
  using Kind = wire::Undestroyed::Kind;
  switch (kind) {
    case ObjectKind::condvar:
      return Kind::condvar;
    case ObjectKind::semaphore:
      return Kind::semaphore;
    case ObjectKind::barrier:
      return Kind::barrier;
    default:
      return Kind::lock;
  }
}

// Another thread may have unlocked what this one had locked (rwlocks allow it, in effect).
bool is_locked_by(const SyncObject& object, ThreadId thread) {
  if (object.kind == ObjectKind::mutex) return object.mutex.owner == thread;
  if (object.kind == ObjectKind::rwlock)
    return object.rwlock.writer == thread || object.rwlock.readers > 0;
  return false;
}

}  // namespace

void note_initialised(const void* object, ObjectKind kind, std::uintptr_t pc) {
  if (!g.in_process || !running()) return;
  note_destroyed(object);  // an object that was there before is no more
  if (initialised_count < kInitialisedMax) initialised[initialised_count++] = {object, pc, kind};
}

void note_destroyed(const void* object) {
  for (std::uint32_t i = initialised_count; i-- > 0;)
    if (initialised[i].object == object) {
      initialised[i] = initialised[--initialised_count];
      return;
    }
}

void forget_initialised() { initialised_count = 0; }

void check_held_locks() {
  if (!running() || g.shared->verdict.kind != VerdictKind::none) return;
  for (ThreadId id = 0; id < g.thread_count; ++id) {
    const Fiber& fiber = g.fibers[id];
    for (unsigned i = 0; i < fiber.held_count; ++i) {
      const HeldEntry& held = fiber.held[i];
      if (!is_locked_by(*held.object, id)) continue;
      g.shared->verdict.where = locate(held.object->address);
      view_of(*g.current).op.site = held.site;
      say("ends the test, and {} is still locked by ");
      say_thread(id);
      say(" (at {site})");
      end_run({.kind = VerdictKind::sync_misuse, .code = id});
    }
  }
}

void report_endless_thread() {
  ThreadId id = 1;
  while (id + 1u < g.thread_count && g.fibers[id].state != FiberState::alive) ++id;
  say_thread(id);
  say(" does not end with the test: it waits for ever, and nobody waits for it");
  end_run(
      {.kind = VerdictKind::leaked_thread, .code = id, .fault_address = g.fibers[id].created_at});
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

RADDLE_EXPORT std::uint32_t raddle_in_process_undestroyed(raddle::wire::Undestroyed* rows,
                                                          std::uint32_t max) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < initialised_count && count < max; ++i)
    if (!is_restored(initialised[i].object))
      rows[count++] = {site_of(initialised[i].pc), kind_of(initialised[i].kind)};
  return count;
}
