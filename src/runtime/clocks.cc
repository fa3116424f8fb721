// SPDX-License-Identifier: Apache-2.0
//
// Storage and arithmetic of vector clocks. Target side.
#include "runtime/clocks.h"

#include <string.h>

#include "runtime/fatal.h"
#include "runtime/memory_map.h"

namespace raddle::runtime {
namespace {

constexpr unsigned kCapacityBits = 15;  // kMaxThreads fits
struct FreeBlock {
  FreeBlock* next;
};
FreeBlock* free_blocks[kCapacityBits];
std::uintptr_t next_block = kClocksBase + kClocksShift;

unsigned bits_of(std::uint32_t capacity) { return static_cast<unsigned>(__builtin_ctz(capacity)); }

std::uint32_t* take_block(std::uint32_t capacity) {
  if (FreeBlock* block = free_blocks[bits_of(capacity)]) {
    free_blocks[bits_of(capacity)] = block->next;
    return reinterpret_cast<std::uint32_t*>(block);
  }
  std::uintptr_t block = next_block;
  next_block += capacity * sizeof(std::uint32_t);
  if (next_block > kClocksBase + kClocksBytes)
    refuse(
        "the program has too many synchronisation objects and threads for the race detector; "
        "try --races off");
  return reinterpret_cast<std::uint32_t*>(block);
}

void give_back(std::uint32_t* entries, std::uint32_t capacity) {
  auto* block = reinterpret_cast<FreeBlock*>(entries);
  block->next = free_blocks[bits_of(capacity)];
  free_blocks[bits_of(capacity)] = block;
}

// Makes room for `size` entries; new ones are 0.
void grow(Clock& clock, std::uint32_t size) {
  if (size <= clock.size) return;
  if (size > clock.capacity) {
    std::uint32_t capacity = clock.capacity == 0 ? kFewThreads : clock.capacity;
    while (capacity < size) capacity *= 2;
    std::uint32_t* entries = take_block(capacity);
    if (clock.size > 0) memcpy(entries, clock.entries, clock.size * sizeof *entries);
    memset(entries + clock.size, 0, (capacity - clock.size) * sizeof *entries);
    if (clock.capacity > 0) give_back(clock.entries, clock.capacity);
    clock.entries = entries;
    clock.capacity = capacity;
  }
  clock.size = size;
}

}  // namespace

void init_clocks() { reserve_region(kClocksBase, kClocksBytes, true, "the race detector"); }

void set_far_entry(Clock& clock, ThreadId thread, std::uint32_t epoch) {
  grow(clock, thread + 1u);
  clock.entries[thread] = epoch;
}

void join_long_clock(Clock& to, const Clock& from) {
  grow(to, from.size);
  for (std::uint32_t i = 0; i < from.size; ++i)
    if (from.entries[i] > to.entries[i]) to.entries[i] = from.entries[i];
}

void clear_clock(Clock& clock) {
  for (std::uint32_t i = 0; i < clock.size; ++i) clock.entries[i] = 0;
  clock.size = 0;
}

void copy_clock(Clock& to, const Clock& from) {
  clear_clock(to);
  join_clock(to, from);
}

void release_clock(Clock& clock) {
  if (clock.capacity > 0) give_back(clock.entries, clock.capacity);
  clock = {};
}

}  // namespace raddle::runtime
