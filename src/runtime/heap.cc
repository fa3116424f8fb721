// SPDX-License-Identifier: Apache-2.0
//
// A segregated-fit allocator. Target side; one kernel thread, so no locks.
//
// Small blocks: one region of address space a size class; a block is a 16-byte header and the
// payload, so that the header of any interior address is one division away. Large blocks: slots of
// 2 MiB in a region of their own, with a table from slot to block. Freed blocks of a class are used
// again first in, first out, once the quarantine is full: the same sequence of calls gives the same
// addresses.
#include "runtime/heap.h"

#include <string.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "runtime/access.h"
#include "runtime/emit.h"
#include "runtime/heap_blocks.h"
#include "runtime/memory_map.h"
#include "runtime/objects.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"
#include "runtime/sharing.h"

namespace raddle::runtime {
namespace {

// Classes 0..63 step by 16 bytes; then four classes for every doubling.
constexpr std::size_t kLinearMax = 64 * 16;
constexpr std::size_t kSmallMax = 256 << 10;

struct SizeClass {
  std::uint64_t inverse;               // 2^64 / bytes, rounded up
  std::uint32_t bytes;                 // of a whole block
  std::uint32_t free_head, free_tail;  // freed blocks, oldest first, index + 1
  std::uint32_t runtime_head;          // freed blocks of the runtime, youngest first
  std::uint32_t used;                  // blocks handed out at least once
  std::uint32_t run;                   // the run that `before` is about
} classes[kSmallClasses];

constexpr unsigned kSlotsMax = kLargeBytes / kSlotBytes;
struct Large {
  std::uint32_t number;
  BlockState state;
  std::size_t size;
  std::uintptr_t payload;
  std::uint32_t first_slot, slot_count;
};
constexpr unsigned kLargeMax = 1 << 16;
Large larges[kLargeMax];
std::uint32_t large_count;
std::uint32_t slots_taken;
std::uint32_t slot_to_large[kSlotsMax];  // index + 1

// Around the payload: so much belongs to nobody, and so much of it, next to the payload, is
// poisoned.
constexpr std::size_t kLargeZone = 4096, kLargePoison = 64;
// So many freed blocks rest before one is used again. They have no memory, only addresses.
constexpr std::uint32_t kQuarantineLarges = 64;
std::uint32_t resting_larges;

std::uint32_t allocation_count;

// Enough for the runs of tests; small, because every fresh page costs a page fault or five.
constexpr std::size_t kQuarantineBytes = 1 << 20;
bool for_runtime;
std::size_t resting_bytes;  // of freed small blocks not yet used again

// Where runs are repeated in one process: what a class was like before the run. If the run frees
// what it allocates and nothing else, the class is set back to that, and the next run gets the same
// addresses, which are still in the caches.
struct ClassBefore {
  std::uint32_t free_head, free_tail, used;
  std::uint32_t live;    // blocks of the run that it has not freed
  std::uint32_t rested;  // blocks that it has freed
  bool touched_older;    // the run has freed a block of an earlier one, or was given one
};
struct RunOfHeap {
  std::uint32_t number;  // 0: runs are not repeated
  std::uint32_t touched;
  std::uint8_t classes[kSmallClasses];
  ClassBefore before[kSmallClasses];
  std::uint32_t used_ever[kSmallClasses];
  std::size_t left;  // bytes of blocks that runs have not freed
} run_of_heap;
std::size_t large_bytes;  // in use
static_assert(kSmallClasses < 256);

ClassBefore& before_run(unsigned index) {
  SizeClass& c = classes[index];
  ClassBefore& before = run_of_heap.before[index];
  if (c.run != run_of_heap.number) {
    c.run = run_of_heap.number;
    run_of_heap.classes[run_of_heap.touched++] = static_cast<std::uint8_t>(index);
    before = {c.free_head, c.free_tail, c.used, 0, 0, false};
  }
  return before;
}

bool repeated_run() { return run_of_heap.number != 0 && running() && !for_runtime; }

unsigned class_of(std::size_t bytes) {
  if (bytes <= kLinearMax) return static_cast<unsigned>((bytes + 15) / 16 - 1);
  unsigned top = 63 - static_cast<unsigned>(__builtin_clzll(bytes - 1));  // 2^top < bytes
  unsigned quarter = static_cast<unsigned>(((bytes - 1) >> (top - 2)) & 3);
  return 64 + (top - 10) * 4 + quarter;
}

std::size_t class_bytes(unsigned index) {
  if (index < 64) return (index + 1) * 16;
  unsigned top = 10 + (index - 64) / 4;
  return (std::size_t{1} << top) + ((index - 64) % 4 + 1) * (std::size_t{1} << (top - 2));
}

std::uintptr_t class_base(unsigned index) { return kSmallBase + index * kSmallClassBytes; }

// offset / bytes, in the time of a multiplication.
std::uint32_t block_index(const SizeClass& c, std::uintptr_t offset) {
  static_assert(kSmallClassBytes * kSmallMax < std::uintptr_t{1} << 62);  // or it would be inexact
  return static_cast<std::uint32_t>((static_cast<unsigned __int128>(offset) * c.inverse) >> 64);
}

Header* small_header(std::uintptr_t address) {
  unsigned index = static_cast<unsigned>((address - kSmallBase) / kSmallClassBytes);
  const SizeClass& c = classes[index];
  std::uintptr_t base = class_base(index);
  return reinterpret_cast<Header*>(base + std::uintptr_t{block_index(c, address - base)} * c.bytes);
}

Large* large_at(std::uintptr_t address) {
  std::uint32_t index = slot_to_large[(address - kLargeBase) / kSlotBytes];
  return index == 0 ? nullptr : &larges[index - 1];
}

std::uint32_t next_number() { return ++allocation_count & 0x0fffffff; }

// The oldest freed block of the class if the quarantine lets it go, else a fresh one. *recycled
// tells which.
std::uint32_t take_block(SizeClass& c, std::uintptr_t base, bool* recycled) {
  auto next_of = [&](std::uint32_t block) {
    return reinterpret_cast<Header*>(base + std::uintptr_t{block} * c.bytes)->next_free;
  };
  if (for_runtime && c.runtime_head != 0) {
    *recycled = true;
    std::uint32_t block = c.runtime_head - 1;
    c.runtime_head = next_of(block);
    return block;
  }
  *recycled = c.free_head != 0 && resting_bytes > kQuarantineBytes;
  if (!*recycled) return c.used++;
  std::uint32_t block = c.free_head - 1;
  c.free_head = next_of(block);
  if (c.free_head == 0) c.free_tail = 0;
  resting_bytes -= c.bytes;
  return block;
}

void* allocate_small(std::size_t size, std::size_t alignment, bool zeroed) {
  std::size_t slack = alignment > 16 ? alignment : 0;
  // A block of no bytes has an address of its own all the same.
  unsigned index = class_of((size == 0 ? 1 : size) + kHeaderBytes + slack);
  SizeClass& c = classes[index];
  bool recycled;
  bool repeated = repeated_run();
  if (repeated) before_run(index);
  std::uint32_t block = take_block(c, class_base(index), &recycled);
  if ((std::uintptr_t{block} + 1) * c.bytes > kSmallClassBytes) return nullptr;
  if (repeated) {
    ++run_of_heap.before[index].live;
    run_of_heap.before[index].touched_older |= recycled;
  }
  std::uint32_t& used_ever = run_of_heap.used_ever[index];
  if (block < used_ever)
    recycled = true;
  else
    used_ever = block + 1;
  std::uintptr_t start = class_base(index) + std::uintptr_t{block} * c.bytes;
  auto* header = reinterpret_cast<Header*>(start);
  std::uintptr_t payload = (start + kHeaderBytes + alignment - 1) & ~(alignment - 1);
  *header = {.number = next_number(),
             .next_free = repeated ? run_of_heap.number : 0,
             .size = static_cast<std::uint32_t>(size),
             .payload = static_cast<std::uint16_t>((payload - start) / 16),
             .state = BlockState::live,
             .of_runtime = for_runtime};
  if (recycled) forget_shadow(payload, start + c.bytes - payload);
  if (recycled && zeroed) memset(reinterpret_cast<void*>(payload), 0, size);
  if (tracking() && !for_runtime) {
    poison(start, payload - start);
    // Up to the end of the next block's header, which may not have been handed out yet.
    poison(payload + size, start + c.bytes + kHeaderBytes - (payload + size));
  }
  return reinterpret_cast<void*>(payload);
}

// The last frees of the run, by block.
constexpr std::size_t kFreesMax = 1 << 12;
struct Freed {
  std::uintptr_t payload;
  FreedBy by;
} frees[kFreesMax];

Freed& free_of(std::uintptr_t payload) { return frees[mix64(payload) % kFreesMax]; }

// Requires: the block is live.
void note_freed(std::uintptr_t address, std::size_t size, std::uintptr_t pc, bool is_point) {
  bool shares_objects = free_objects(address, size);
  free_of(address) = {address, {g.current->id, site_of(pc)}};
  if (tracking()) observe_free(address, size, pc, is_point, shares_objects);
  if (g.record.stacks && running()) emit_heap_detail(wire::OpKind::freed, address, site_of(pc));
}

void free_small(std::uintptr_t address, std::uintptr_t pc, bool is_point) {
  unsigned index = static_cast<unsigned>((address - kSmallBase) / kSmallClassBytes);
  SizeClass& c = classes[index];
  std::uint32_t block = block_index(c, address - class_base(index));
  std::uintptr_t start = class_base(index) + std::uintptr_t{block} * c.bytes;
  auto* header = reinterpret_cast<Header*>(start);
  if (header->state != BlockState::live || start + header->payload * 16u != address)
    report_invalid_free(address, pc);
  if (header->of_runtime) {
    header->state = BlockState::freed;
    header->next_free = c.runtime_head;
    c.runtime_head = block + 1;
    return;
  }
  note_freed(address, header->size, pc, is_point);
  if (repeated_run()) {
    ClassBefore& before = before_run(index);
    ++before.rested;
    if (header->next_free == run_of_heap.number)
      --before.live;
    else
      before.touched_older = true;
  }
  header->state = BlockState::freed;
  header->next_free = 0;
  if (c.free_tail != 0)
    reinterpret_cast<Header*>(class_base(index) + std::uintptr_t{c.free_tail - 1} * c.bytes)
        ->next_free = block + 1;
  else
    c.free_head = block + 1;
  c.free_tail = block + 1;
  resting_bytes += c.bytes;
  if (tracking()) poison(address, header->size);
}

// The oldest freed block of the size.
Large* reuse_large(std::uint32_t slots) {
  Large* oldest = nullptr;
  for (std::uint32_t i = 0; i < large_count; ++i)
    if (larges[i].state == BlockState::freed && larges[i].slot_count == slots &&
        (oldest == nullptr || larges[i].number < oldest->number))
      oldest = &larges[i];
  if (oldest != nullptr) --resting_larges;
  return oldest;
}

Large* take_large(std::uint32_t slots) {
  bool room = large_count < kLargeMax && slots_taken + slots <= kSlotsMax;
  if (resting_larges > kQuarantineLarges || !room)
    if (Large* rested = reuse_large(slots)) return rested;
  if (!room) return nullptr;
  Large& fresh = larges[large_count++];
  fresh.first_slot = slots_taken;
  fresh.slot_count = slots;
  for (std::uint32_t s = 0; s < slots; ++s) slot_to_large[slots_taken + s] = large_count;
  slots_taken += slots;
  return &fresh;
}

void* allocate_large(std::size_t size, std::size_t alignment) {
  std::size_t slack = alignment > kLargeZone ? alignment : kLargeZone;
  if (size > kLargeBytes / 2) return nullptr;
  Large* large = take_large(
      static_cast<std::uint32_t>((size + slack + kLargeZone + kSlotBytes - 1) / kSlotBytes));
  if (large == nullptr) return nullptr;
  std::uintptr_t start = kLargeBase + large->first_slot * kSlotBytes;
  large->number = next_number();
  large->state = BlockState::live;
  large->size = size;
  large_bytes += size;
  large->payload = (start + kLargeZone + alignment - 1) & ~(alignment - 1);
  if (tracking()) {
    expect_dense_shadow(large->payload, size);
    poison(large->payload - kLargePoison, kLargePoison);
    poison(large->payload + size, kLargePoison);
  }
  return reinterpret_cast<void*>(large->payload);
}

}  // namespace

void begin_heap_run() {
  if (++run_of_heap.number == 0) run_of_heap.number = 1;
  run_of_heap.touched = 0;
  allocation_count = 0;
}

void end_heap_run() {
  for (std::uint32_t i = 0; i < run_of_heap.touched; ++i) {
    unsigned index = run_of_heap.classes[i];
    const ClassBefore& before = run_of_heap.before[index];
    SizeClass& c = classes[index];
    run_of_heap.left += std::size_t{before.live} * c.bytes;
    if (before.live != 0 || before.touched_older) continue;
    if (before.free_tail != 0)
      reinterpret_cast<Header*>(class_base(index) + std::uintptr_t{before.free_tail - 1} * c.bytes)
          ->next_free = 0;
    c.free_head = before.free_head;
    c.free_tail = before.free_tail;
    c.used = before.used;
    resting_bytes -= std::size_t{before.rested} * c.bytes;
  }
}

std::size_t heap_bytes_left() { return run_of_heap.left + large_bytes; }

void init_heap() {
  reserve_region(kSmallBase, kHeapEnd - kSmallBase, true, "the heap");
  for (unsigned i = 0; i < kSmallClasses; ++i) {
    classes[i].bytes = static_cast<std::uint32_t>(class_bytes(i));
    classes[i].inverse = ~std::uint64_t{0} / classes[i].bytes + 1;
  }
}

RuntimeBlocks::RuntimeBlocks() { for_runtime = true; }
RuntimeBlocks::~RuntimeBlocks() { for_runtime = false; }

bool in_heap(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - kSmallBase < kHeapEnd - kSmallBase;
}

void* heap_allocate(std::size_t size, std::size_t alignment, bool zeroed, std::uintptr_t pc) {
  std::size_t slack = alignment > 16 ? alignment : 0;
  if (size > kLargeBytes) return nullptr;
  bool small = size + kHeaderBytes + slack <= kSmallMax;
  void* block = small ? allocate_small(size, alignment, zeroed) : allocate_large(size, alignment);
  if (g.record.stacks && running() && block != nullptr)
    emit_heap_detail(wire::OpKind::allocated, reinterpret_cast<std::uintptr_t>(block), site_of(pc));
  return block;
}

void heap_free(void* block, std::uintptr_t pc) {
  auto address = reinterpret_cast<std::uintptr_t>(block);
  bool is_point = tracking() && running() && pass_free_point(address, pc);
  if (address < kLargeBase) return free_small(address, pc, is_point);
  Large* large = large_at(address);
  if (large == nullptr || large->state != BlockState::live || large->payload != address)
    report_invalid_free(address, pc);
  note_freed(address, large->size, pc, is_point);
  large->state = BlockState::freed;
  large_bytes -= large->size;
  ++resting_larges;
  // Fresh zero pages for the next owner; the shadow forgets with them, so that every access to the
  // freed block comes to is_freed_large().
  std::uintptr_t start = kLargeBase + large->first_slot * kSlotBytes;
  discard_pages(start, large->slot_count * kSlotBytes);
  forget_shadow(start, large->slot_count * kSlotBytes);
}

std::size_t heap_usable_size(void* block) {
  return block_at(reinterpret_cast<std::uintptr_t>(block)).size;
}

void visit_live_blocks(void (*visit)(void* context, std::uintptr_t payload, std::size_t size),
                       void* context) {
  for (unsigned i = 0; i < kSmallClasses; ++i) {
    std::uintptr_t base = kSmallBase + i * kSmallClassBytes;
    for (std::uint32_t block = 0; block < classes[i].used; ++block) {
      std::uintptr_t at = base + std::uintptr_t{block} * classes[i].bytes;
      const auto& header = *reinterpret_cast<const Header*>(at);
      if (header.state == BlockState::live)
        visit(context, at + std::uintptr_t{header.payload} * 16, header.size);
    }
  }
  for (std::uint32_t i = 0; i < large_count; ++i)
    if (larges[i].state == BlockState::live) visit(context, larges[i].payload, larges[i].size);
}

bool is_freed_slot(std::uintptr_t slot) {
  std::uint32_t index = slot_to_large[slot];
  return index != 0 && larges[index - 1].state == BlockState::freed;
}

FreedBy freed_by(std::uintptr_t payload) {
  const Freed& freed = free_of(payload);
  return freed.payload == payload ? freed.by : FreedBy{kNoThread, 0};
}

BlockView block_at(std::uintptr_t address) {
  if (address >= kLargeBase) {
    const Large* large = large_at(address);
    if (large == nullptr) return {};
    return {large->number, large->state, large->payload, large->size};
  }
  const Header* header = small_header(address);
  auto start = reinterpret_cast<std::uintptr_t>(header);
  return {header->number, header->state, start + header->payload * 16u, header->size};
}

wire::Location locate_in_heap(std::uintptr_t address) {
  BlockView block = block_at(address);
  if (block.state == BlockState::unused) return {};
  return wire::make_location(wire::Region::heap, block.number,
                             static_cast<std::uint32_t>(address - block.payload));
}

}  // namespace raddle::runtime
