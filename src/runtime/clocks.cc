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
  std::uint32_t far = size > kFewThreads ? size - kFewThreads : 0;
  if (far > clock.capacity) {
    std::uint32_t capacity = clock.capacity == 0 ? kFewThreads : clock.capacity;
    while (capacity < far) capacity *= 2;
    std::uint32_t* entries = take_block(capacity);
    std::uint32_t used = clock.size > kFewThreads ? clock.size - kFewThreads : 0;
    if (used > 0) memcpy(entries, clock.more, used * sizeof *entries);
    memset(entries + used, 0, (capacity - used) * sizeof *entries);
    if (clock.capacity > 0) give_back(clock.more, clock.capacity);
    clock.more = entries;
    clock.capacity = capacity;
  }
  clock.size = size;
}

}  // namespace

void init_clocks() { reserve_region(kClocksBase, kClocksBytes, true, "the race detector"); }

void set_far_entry(Clock& clock, ThreadId thread, std::uint32_t epoch) {
  grow(clock, thread + 1u);
  clock.more[thread - kFewThreads] = epoch;
}

void join_far_entries(Clock& to, const Clock& from) {
  grow(to, from.size);
  for (std::uint32_t i = 0; i < from.size - kFewThreads; ++i)
    if (from.more[i] > to.more[i]) to.more[i] = from.more[i];
}

void clear_clock(Clock& clock) {
  for (std::uint32_t i = kFewThreads; i < clock.size; ++i) clock.more[i - kFewThreads] = 0;
  set_first_entries(clock, _mm_setzero_si128());
  clock.size = 0;
}

void copy_clock(Clock& to, const Clock& from) {
  clear_clock(to);
  join_clock(to, from);
}

void release_clock(Clock& clock) {
  if (clock.capacity > 0) give_back(clock.more, clock.capacity);
  clock = {};
}

}  // namespace raddle::runtime
