// SPDX-License-Identifier: Apache-2.0
//
// Storage of the synchronisation objects. Target side; bounded, touched only as far as used.
#include "runtime/objects.h"

#include <new>

#include "base/rng.h"
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/heap_blocks.h"
#include "runtime/locate.h"

namespace raddle::runtime {
namespace {

constexpr std::uint32_t kObjectsMax = 1 << 20;
alignas(SyncObject) unsigned char storage[kObjectsMax * sizeof(SyncObject)];
ObjectClocks clocks[kObjectsMax];
std::uint32_t object_count = 1;  // index 0 means "none yet"

constexpr std::uint32_t kAddressSlots = 1 << 17;
std::uint32_t by_address[kAddressSlots];
std::uint32_t addresses_used;
std::uint32_t slots_used[kAddressSlots / 2];  // of by_address, in order

// Where an object carries its index, for those that are older than the run.
std::uint32_t* marks[kObjectsMax];

// Objects in blocks of the heap, by block: the first of a bucket, and of each the next.
constexpr std::uint32_t kBuckets = 1 << 12;
std::uint32_t in_bucket[kBuckets];
std::uint32_t next_in_bucket[kObjectsMax];
std::uint16_t bucket_of[kObjectsMax];  // of an object in the heap

std::uint16_t bucket_for(std::uintptr_t block) {
  return static_cast<std::uint16_t>(mix64(block) % kBuckets);
}

SyncObject& record(std::uint32_t index) { return reinterpret_cast<SyncObject*>(storage)[index]; }

// Whether the memory of an object that is gone belongs to another block by now.
bool is_replaced(const SyncObject& object) {
  return object.freed && block_at(object.address).state == BlockState::live;
}

std::uint32_t new_record(std::uintptr_t address, model::ObjectKind kind) {
  if (object_count == kObjectsMax)
    refuse("the program uses more than a million synchronisation objects in one run");
  SyncObject& object = *new (&record(object_count)) SyncObject();
  object.address = address;
  object.kind = kind;
  clear_clock(clocks[object_count].first);
  clear_clock(clocks[object_count].second);
  if (in_heap(reinterpret_cast<const void*>(address))) {
    BlockView block = block_at(address);
    object.freed = block.state == BlockState::freed;
    std::uint16_t bucket = bucket_of[object_count] = bucket_for(block.payload);
    next_in_bucket[object_count] = in_bucket[bucket];
    in_bucket[bucket] = object_count;
  }
  return object_count++;
}

std::uint32_t* address_slot(std::uintptr_t address, model::ObjectKind kind) {
  std::uint64_t hash = mix64(address * 8 + static_cast<unsigned>(kind));
  for (std::uint32_t i = static_cast<std::uint32_t>(hash) % kAddressSlots;;
       i = (i + 1) % kAddressSlots) {
    std::uint32_t index = by_address[i];
    if (index == 0) return &by_address[i];
    const SyncObject& object = record(index);
    if (object.address == address && object.kind == kind) return &by_address[i];
  }
}

}  // namespace

std::span<const SyncObject> all_objects() {
  return {reinterpret_cast<const SyncObject*>(storage) + 1, object_count - 1};
}

ObjectClocks& clocks_of(const SyncObject& object) {
  return clocks[&object - reinterpret_cast<const SyncObject*>(storage)];
}

SyncObject& object_in(void* address, std::uint32_t* slot, model::ObjectKind kind, bool* fresh) {
  *fresh = marked_object(address, *slot, kind) == nullptr;
  if (*fresh) {
    *slot = new_record(reinterpret_cast<std::uintptr_t>(address), kind);
    if (g.in_process) marks[*slot] = slot;
  }
  return record(*slot);
}

SyncObject* marked_object(const void* address, std::uint32_t index, model::ObjectKind kind) {
  if (index == 0 || index >= object_count) return nullptr;
  SyncObject& object = record(index);
  bool same = object.address == reinterpret_cast<std::uintptr_t>(address) && object.kind == kind;
  return same && !is_replaced(object) ? &object : nullptr;
}

SyncObject& object_at(std::uintptr_t address, model::ObjectKind kind) {
  std::uint32_t* slot = address_slot(address, kind);
  if (*slot == 0) {
    if (addresses_used == kAddressSlots / 2)
      refuse("the program uses too many spinlocks, once flags or futexes in one run");
    slots_used[addresses_used++] = static_cast<std::uint32_t>(slot - by_address);
    *slot = new_record(address, kind);
  } else if (is_replaced(record(*slot))) {
    *slot = new_record(address, kind);
  }
  return record(*slot);
}

SyncObject* find_object(std::uintptr_t address, model::ObjectKind kind) {
  std::uint32_t index = *address_slot(address, kind);
  return index == 0 || is_replaced(record(index)) ? nullptr : &record(index);
}

bool free_objects(std::uintptr_t address, std::size_t size) {
  bool shared = false;
  std::uint32_t* link = &in_bucket[bucket_for(address)];
  while (*link != 0) {
    SyncObject& object = record(*link);
    if (object.address - address >= size) {
      link = &next_in_bucket[*link];
      continue;
    }
    object.freed = true;
    shared |= model::used_by_others(object, g.current->id);
    *link = next_in_bucket[*link];
  }
  return shared;
}

void forget_objects() {
  while (addresses_used > 0) by_address[slots_used[--addresses_used]] = 0;
  for (; object_count > 1; --object_count) {
    if (in_heap(reinterpret_cast<const void*>(record(object_count - 1).address)))
      in_bucket[bucket_of[object_count - 1]] = 0;
    std::uint32_t*& mark = marks[object_count - 1];
    if (mark == nullptr) continue;
    // Global objects look again as they did before, in case somebody compares.
    bool global = locate(reinterpret_cast<std::uintptr_t>(mark)).region() == wire::Region::global;
    if (global) *mark = 0;
    mark = nullptr;
  }
}

void for_each_mutex(void (*visit)(SyncObject&)) {
  for (std::uint32_t i = 1; i < object_count; ++i)
    if (record(i).kind == model::ObjectKind::mutex) visit(record(i));
}

void note_held(SyncObject& object, wire::OpKind kind, SiteId site) {
  Fiber& me = *g.current;
  if (me.held_count < kHeldEntriesMax) me.held[me.held_count++] = {&object, site, kind};
}

void note_released(SyncObject& object) {
  Fiber& me = *g.current;
  for (unsigned i = me.held_count; i-- > 0;)
    if (me.held[i].object == &object) {
      for (unsigned j = i + 1; j < me.held_count; ++j) me.held[j - 1] = me.held[j];
      --me.held_count;
      return;
    }
}

}  // namespace raddle::runtime
