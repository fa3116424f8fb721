// SPDX-License-Identifier: Apache-2.0
//
// The synchronisation objects of the program. Target side. Where the program's object has room, it
// carries the index of its record in memory that is zero in every initialiser: a fresh object is
// recognised as fresh, also when it takes the place of a dead one. Where there is no room
// (spinlocks, once flags, futex words) the record is found by address.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/runtime.h"

namespace raddle::runtime {

// The record of the object at `address`, made by this call if *slot does not name it. *fresh tells.
SyncObject& object_in(void* address, std::uint32_t* slot, model::ObjectKind kind, bool* fresh);

// The record at `index` if it is of that object, else null.
SyncObject* marked_object(const void* address, std::uint32_t index, model::ObjectKind kind);

SyncObject& object_at(std::uintptr_t address, model::ObjectKind kind);
// Like object_at, but null if there is none.
SyncObject* find_object(std::uintptr_t address, model::ObjectKind kind);

// A block of the heap is freed, and the objects in it with it. Returns whether others than the
// current thread have used one of them.
bool free_objects(std::uintptr_t address, std::size_t size);

// What has been handed on through an object (order.h): by all, or, of a rwlock, by writers and by
// readers; of a barrier, in even and in odd rounds.
struct ObjectClocks {
  Clock first, second;
};
ObjectClocks& clocks_of(const SyncObject& object);
// Between runs in one process: all records are gone. What a record said about an object that is
// older than the run (a lock that was left locked) goes with it.
void forget_objects();
void for_each_mutex(void (*visit)(SyncObject&));
// All records of the run.
std::span<const SyncObject> all_objects();

// What the current thread holds, for reports and for the wait-for graph.
void note_held(SyncObject& object, wire::OpKind kind, SiteId site);
void note_released(SyncObject& object);

}  // namespace raddle::runtime
