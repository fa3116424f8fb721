// SPDX-License-Identifier: Apache-2.0
//
// Data races: two accesses to overlapping bytes by different threads, one of them a write, not both
// atomic, and neither happened before the other (C++20 [intro.races]). Target side.
//
// After FastTrack (Flanagan and Freund, PLDI 2009): the shadow keeps the last write and a read,
// each as one epoch of one thread, and falls back to a list only where accesses are concurrent or
// touch different bytes. Exact in what it reports: an access is compared by full epochs with the
// thread's clock. Deviations: bytes are told apart inside a granule of eight; a plain access is
// never forgotten for an atomic one; of unordered atomic accesses only the last is kept; all races
// are reported, not only the first on a location, but each pair of places once a run.
#pragma once

#include "runtime/runtime.h"
#include "runtime/shadow.h"

namespace raddle::runtime {

struct NewAccess {
  std::uintptr_t address;
  std::size_t size;
  SiteId site;
  std::uint8_t flags;  // kWrite, kAtomic
  bool frees = false;  // a write of a whole block
};

// The current thread is about to access [address, address + size), where accesses are only checked
// (AccessMode::check): reports races and heap errors, and remembers the access.
void check_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site);
// The same for bytes of one granule. `bits`: the access (shadow.h).
void check_granule(std::uintptr_t address, std::uint64_t bits, SiteId site);

// Reports races of the current thread's access with what the cell holds.
void check_cell(const Cell& cell, std::uintptr_t granule, const Access& mine,
                const NewAccess& access);

// Whether `mine`, the current thread's, stands for the earlier access from now on: whatever would
// race with the earlier one races with it too.
bool stands_for(const Access& mine, const Access& earlier);

// Whether `mine` is all that has to be remembered of the two where accesses are published, too. A
// write has been told of the reads before it (sharing.cc); another thread's read waits for one.
bool takes_place_of(const Access& mine, const Access& earlier);

// Whether the access is ordered before what the current thread does now.
bool happened_before_current(const Access& access);

// Drops from the list what `mine` takes the place of.
void prune_extras(Cell& cell, const Access& mine);

// A new run begins: every pair of places may be reported again.
void forget_reported_races();

// The program has asked not to look at such accesses of the thread. They cannot be points of a
// search either, so one that has been through all it knows of has not been through all there is.
inline bool is_ignored(const Fiber& me, bool is_write) {
  return __builtin_expect((is_write ? me.ignored_writes : me.ignored_reads) != 0, 0);
}
inline void lose_access() { g.shared->reservations |= wire::kAccessesLost; }

// The program says that races on these bytes are wanted.
void accept_races(std::uintptr_t address, std::size_t size);

// An atomic access of the current thread, after it was carried out.
void observe_atomic(std::uintptr_t address, std::size_t size, bool is_write, SiteId site);

}  // namespace raddle::runtime
