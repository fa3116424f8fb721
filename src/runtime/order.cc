// SPDX-License-Identifier: Apache-2.0
//
// Edges of happens-before. Target side. See order.h for the rules.
#include "runtime/order.h"

#include "runtime/objects.h"
#include "runtime/shadow.h"

namespace raddle::runtime {
namespace {

using wire::OpKind;

bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// The program has asked that what the thread does orders nothing.
bool ignores_sync() { return __builtin_expect(g.current->ignored_sync != 0, 0); }

// What a thread learns from a read: at once, or at its next acquire fence.
void read_from(const Clock& clock, int order) {
  if (clock.empty()) return;
  join_clock(acquires(order) ? g.current->clock : g.current->unfenced_reads, clock);
}

Clock& barrier_clock(const SyncObject& object, std::uint32_t round) {
  ObjectClocks& clocks = clocks_of(object);
  return round % 2 == 0 ? clocks.first : clocks.second;
}

// What threads had done when library code ran that may have released it.
Clock unseen_releases;

void order_barrier(OpKind kind, const SyncObject& object) {
  // The last thread to arrive begins the next round in the model, and leaves at once.
  std::uint32_t now = object.barrier.round;
  if (kind == OpKind::barrier_leave) return order_see(barrier_clock(object, g.current->ticket));
  bool last = object.barrier.arrived == 0;
  Clock& clock = barrier_clock(object, last ? now - 1 : now);
  if (object.barrier.arrived == 1) clear_clock(clock);
  order_hand_on(clock);
  if (last) order_see(clock);
}

}  // namespace

void begin_order() {
  Fiber& me = *g.current;
  release_clock(me.clock);
  release_clock(unseen_releases);
  me.epoch = g.epoch_floor + 1;
}

void order_sync(OpKind kind, const SyncObject& object, bool failed) {
  if ((failed && kind != OpKind::once_enter) || ignores_sync()) return;
  ObjectClocks& clocks = clocks_of(object);
  // The most frequent ones first: a jump by a table takes longer than what they do.
  if (kind == OpKind::mutex_lock) return order_see(clocks.first);
  if (kind == OpKind::mutex_unlock) return order_hand_on(clocks.first);
  switch (kind) {
    case OpKind::mutex_try_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::sem_wait:
    case OpKind::sem_try_wait:
    case OpKind::sem_timed_wait:
    case OpKind::once_enter:
    case OpKind::rwlock_read:
    case OpKind::rwlock_try_read:
    case OpKind::rwlock_timed_read:
      return order_see(clocks.first);
    case OpKind::rwlock_write:
    case OpKind::rwlock_try_write:
    case OpKind::rwlock_timed_write:
      order_see(clocks.first);
      return order_see(clocks.second);
    case OpKind::sem_post:
    case OpKind::once_leave:
      return order_hand_on(clocks.first);
    case OpKind::rwlock_unlock:
      // Readers order later writers only: a reader that gave back its lock leaves no writer behind.
      return order_hand_on(object.rwlock.released_by_writer ? clocks.first : clocks.second);
    case OpKind::barrier_arrive:
    case OpKind::barrier_leave:
      return order_barrier(kind, object);
    default:
      return;
  }
}

void order_hand_over(Fiber& to) { order_hand_on(to.clock); }

void order_join(Fiber& finished) {
  set_entry(finished.clock, finished.id, finished.epoch);
  order_see(finished.clock);
}

void order_last() {
  Fiber& me = *g.current;
  for (ThreadId id = 0; id < g.thread_count; ++id)
    if (id != me.id) set_entry(me.clock, id, g.fibers[id].epoch);
}

void forget_order(Fiber& fiber) {
  release_clock(fiber.clock);
  release_clock(fiber.release_fence);
  release_clock(fiber.unfenced_reads);
}

void order_atomic_load(std::uintptr_t address, int order) {
  if (ignores_sync()) return;
  if (__builtin_expect(!unseen_releases.empty(), 0)) read_from(unseen_releases, order);
  if (const LocationClock* location = find_location_clock(address))
    read_from(location->clock, order);
}

// What a write of the thread hands on: all it has seen, or what it had seen at its last release
// fence.
void order_atomic_store(std::uintptr_t address, int order) {
  if (ignores_sync()) return;
  const Fiber& me = *g.current;
  if (releases(order)) {
    LocationClock& location = location_clock(address);
    clear_clock(location.clock);
    order_hand_on(location.clock);
    location.head = me.id;
    return;
  }
  const Clock& fenced = me.release_fence;
  LocationClock* location =
      fenced.empty() ? find_location_clock(address) : &location_clock(address);
  if (location == nullptr) return;
  if (location->head == me.id) return join_clock(location->clock, fenced);
  copy_clock(location->clock, fenced);
  location->head = fenced.empty() ? kNoThread : me.id;
}

void order_atomic_update(std::uintptr_t address, int order) {
  if (ignores_sync()) return;
  const Fiber& me = *g.current;
  bool releasing = releases(order);
  // A relaxed update continues whatever release sequence there is.
  if (!releasing && me.release_fence.empty()) return;
  LocationClock& location = location_clock(address);
  if (!releasing) return join_clock(location.clock, me.release_fence);
  order_hand_on(location.clock);
  location.head = me.id;
}

void order_fence(int order) {
  if (ignores_sync()) return;
  Fiber& me = *g.current;
  if (acquires(order)) order_see(me.unfenced_reads);
  if (!releases(order)) return;
  clear_clock(me.release_fence);
  order_hand_on(me.release_fence);
}

void order_unseen_release() {
  order_hand_on(unseen_releases);
  // The short way of updates does not ask for it: from here on the run takes the long ones.
  if (checks_quickly()) g.access_mode = AccessMode::check;
}

void order_release(std::uintptr_t address) { order_hand_on(location_clock(address).clock); }

void order_acquire(std::uintptr_t address) {
  if (const LocationClock* location = find_location_clock(address)) order_see(location->clock);
}

void order_stated_release(std::uintptr_t address, std::uint8_t by) {
  if (ignores_sync()) return;
  order_hand_on(location_clock(address, kStated | by).clock);
}

void order_stated_acquire(std::uintptr_t address, std::uint8_t by) {
  if (ignores_sync()) return;
  if (const LocationClock* location = find_location_clock(address, kStated | by))
    order_see(location->clock);
}

}  // namespace raddle::runtime
