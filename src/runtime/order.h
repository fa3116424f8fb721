// SPDX-License-Identifier: Apache-2.0
//
// The happens-before order of a run, as the memory model of C++20 and POSIX (4.12, memory
// synchronisation) define it: which operations order what came before them in one thread before
// what comes after them in another. Target side; active while races are looked for.
//
// A thread's clock says, for every other thread, up to which epoch it has seen that thread. The
// thread's own entry is its epoch. invariant: an access of thread u in epoch e happened before what
// t does now exactly if e <= t.clock.of(u); so the epoch advances after everything that hands the
// clock on.
//
// Where the standards leave room, the order with more edges is taken, since a race must not be
// reported that some reading of them excludes: a notification orders, a semaphore orders every post
// before every later wait, a relaxed store of the thread that headed a release sequence continues
// it (C++17).
#pragma once

#include "runtime/runtime.h"

namespace raddle::runtime {

inline bool races_wanted() { return g.races; }

// The run begins: the current thread is the first.
void begin_order();

// The current thread carries out an operation on a synchronisation object (after the model has).
void order_sync(wire::OpKind kind, const SyncObject& object, bool failed);

// The current thread hands all it has seen to another one, which is not running.
void order_hand_over(Fiber& to);
// The same by way of a clock that belongs to whatever carries it, for who sees it later. What the
// thread does from now on belongs to a new epoch. Its own entry is written into the carrier alone.
inline void order_hand_on(Clock& carrier) {
  Fiber& me = *g.current;
  if (__builtin_expect(me.id < kFewThreads && me.clock.size <= kFewThreads, 1)) {
    __m128i both = _mm_max_epu32(first_entries(carrier), first_entries(me.clock));
    set_first_entries(carrier, with_entry(both, me.lane, me.epoch));
    if (carrier.size < kFewThreads) carrier.size = kFewThreads;
  } else {
    join_clock(carrier, me.clock);
    set_entry(carrier, me.id, me.epoch);
  }
  advance_epoch(me);
}
inline void order_see(const Clock& carrier) { join_clock(g.current->clock, carrier); }
// The current thread has created `child`, or joined `finished`.
inline void order_create(Fiber& child) {
  child.epoch = g.epoch_floor + 1;  // a clock that has seen nothing of a thread says 0
  order_hand_over(child);
}
void order_join(Fiber& finished);
// The current thread is the last one: what it does now comes after all that others have done.
void order_last();
// The fiber's record goes to nobody else, but its clock's storage does.
void forget_order(Fiber& fiber);

// Atomic operations. `order` as __ATOMIC_*. An update is a load before it.
void order_atomic_load(std::uintptr_t address, int order);
void order_atomic_store(std::uintptr_t address, int order);
void order_atomic_update(std::uintptr_t address, int order);
void order_fence(int order);

// The current thread is about to run library code that may release by stores nobody sees:
// everything before happens before everything after any later acquiring load.
void order_unseen_release();
// Edges that library code makes invisibly, at a known address: everything before a release of the
// address happens before everything after an acquire of it.
void order_release(std::uintptr_t address);
void order_acquire(std::uintptr_t address);
// The same for edges that the program states itself.
void order_stated_release(std::uintptr_t address, std::uint8_t by = 0);
void order_stated_acquire(std::uintptr_t address, std::uint8_t by = 0);
// By those who have read under a lock: only writers come after them.
inline constexpr std::uint8_t kStatedByReaders = 16;

}  // namespace raddle::runtime
