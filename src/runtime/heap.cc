// SPDX-License-Identifier: Apache-2.0
//
// A segregated-fit allocator. Target side; one kernel thread, so no locks.
//
// Small blocks: one region of address space a size class; a block is a 16-byte header and the
// payload, so that the header of any interior address is one division away. Large blocks: slots of
// 2 MiB in a region of their own, with a table from slot to block. Freed blocks are reused last in,
// first out: the same sequence of calls gives the same addresses.
#include "runtime/heap.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/memory_map.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

namespace raddle::runtime {
namespace {

struct Header {
  std::uint32_t number;     // in order of allocation; 0: free
  std::uint32_t next_free;  // index + 1 of the next free block of the class
  std::uint64_t size;       // as asked for
};
constexpr std::size_t kHeaderBytes = sizeof(Header);
static_assert(kHeaderBytes == 16);

// Classes 0..63 step by 16 bytes; then four classes for every doubling.
constexpr std::size_t kLinearMax = 64 * 16;
constexpr std::size_t kSmallMax = 256 << 10;

struct SizeClass {
  std::uint32_t bytes;  // of a whole block
  std::uint32_t free_head;
  std::uint32_t used;  // blocks handed out at least once
} classes[kSmallClasses];

constexpr std::uintptr_t kSlotBytes = 2 << 20;
constexpr unsigned kSlotsMax = kLargeBytes / kSlotBytes;
struct Large {
  Header header;
  std::uintptr_t payload;
  std::uint32_t first_slot, slot_count;
};
constexpr unsigned kLargeMax = 1 << 16;
Large larges[kLargeMax];
std::uint32_t large_count;
std::uint32_t slots_taken;
std::uint32_t slot_to_large[kSlotsMax];  // index + 1

std::uint32_t allocation_count;

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

Header* small_header(std::uintptr_t address) {
  unsigned index = static_cast<unsigned>((address - kSmallBase) / kSmallClassBytes);
  std::uintptr_t base = class_base(index);
  std::uintptr_t block = (address - base) / classes[index].bytes;
  return reinterpret_cast<Header*>(base + block * classes[index].bytes);
}

Large* large_at(std::uintptr_t address) {
  std::uint32_t index = slot_to_large[(address - kLargeBase) / kSlotBytes];
  return index == 0 ? nullptr : &larges[index - 1];
}

std::uint32_t next_number() { return ++allocation_count & 0x0fffffff; }

void* allocate_small(std::size_t size, std::size_t alignment, bool zeroed) {
  std::size_t slack = alignment > 16 ? alignment : 0;
  unsigned index = class_of(size + kHeaderBytes + slack);
  SizeClass& c = classes[index];
  std::uint32_t block = c.free_head;
  bool recycled = block != 0;
  if (recycled)
    --block;
  else
    block = c.used++;
  if ((std::uintptr_t{block} + 1) * c.bytes > kSmallClassBytes) return nullptr;
  std::uintptr_t start = class_base(index) + std::uintptr_t{block} * c.bytes;
  auto* header = reinterpret_cast<Header*>(start);
  if (recycled) c.free_head = header->next_free;
  header->number = next_number();
  header->size = size;
  std::uintptr_t payload = (start + kHeaderBytes + alignment - 1) & ~(alignment - 1);
  if (recycled) {
    forget_shadow(payload, size);
    if (zeroed) memset(reinterpret_cast<void*>(payload), 0, size);
  }
  return reinterpret_cast<void*>(payload);
}

// First fit over freed blocks, so that the choice depends on the program alone.
Large* reuse_large(std::uint32_t slots) {
  for (std::uint32_t i = 0; i < large_count; ++i)
    if (larges[i].header.number == 0 && larges[i].slot_count == slots) return &larges[i];
  return nullptr;
}

void* allocate_large(std::size_t size, std::size_t alignment) {
  std::size_t slack = alignment > 4096 ? alignment : 0;
  if (size > kLargeBytes / 2) return nullptr;
  auto slots = static_cast<std::uint32_t>((size + slack + kSlotBytes - 1) / kSlotBytes);
  Large* large = reuse_large(slots);
  if (large == nullptr) {
    if (large_count == kLargeMax || slots_taken + slots > kSlotsMax) return nullptr;
    large = &larges[large_count++];
    large->first_slot = slots_taken;
    large->slot_count = slots;
    for (std::uint32_t s = 0; s < slots; ++s) slot_to_large[slots_taken + s] = large_count;
    slots_taken += slots;
  }
  std::uintptr_t start = kLargeBase + large->first_slot * kSlotBytes;
  large->header.number = next_number();
  large->header.size = size;
  large->payload = (start + alignment - 1) & ~(alignment - 1);
  return reinterpret_cast<void*>(large->payload);
}

}  // namespace

void init_heap() {
  reserve_region(kSmallBase, kHeapEnd - kSmallBase, true, "the heap");
  for (unsigned i = 0; i < kSmallClasses; ++i)
    classes[i].bytes = static_cast<std::uint32_t>(class_bytes(i));
}

bool in_heap(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - kSmallBase < kHeapEnd - kSmallBase;
}

void* heap_allocate(std::size_t size, std::size_t alignment, bool zeroed) {
  std::size_t slack = alignment > 16 ? alignment : 0;
  if (size > kLargeBytes) return nullptr;
  if (size + kHeaderBytes + slack <= kSmallMax) return allocate_small(size, alignment, zeroed);
  return allocate_large(size, alignment);
}

void heap_free(void* block) {
  auto address = reinterpret_cast<std::uintptr_t>(block);
  if (address >= kLargeBase) {
    Large* large = large_at(address);
    if (large == nullptr || large->header.number == 0) return;
    large->header.number = 0;
    // Fresh zero pages for the next owner; the shadow forgets with them.
    madvise(reinterpret_cast<void*>(kLargeBase + large->first_slot * kSlotBytes),
            large->slot_count * kSlotBytes, MADV_DONTNEED);
    forget_shadow(large->payload, large->header.size);
    return;
  }
  Header* header = small_header(address);
  if (header->number == 0) return;
  unsigned index = static_cast<unsigned>((address - kSmallBase) / kSmallClassBytes);
  SizeClass& c = classes[index];
  header->number = 0;
  header->next_free = c.free_head;
  c.free_head = static_cast<std::uint32_t>(
                    (reinterpret_cast<std::uintptr_t>(header) - class_base(index)) / c.bytes) +
                1;
}

std::size_t heap_usable_size(void* block) {
  auto address = reinterpret_cast<std::uintptr_t>(block);
  if (address >= kLargeBase) return large_at(address)->header.size;
  return small_header(address)->size;
}

wire::Location locate_in_heap(std::uintptr_t address) {
  const Header* header;
  std::uintptr_t payload;
  if (address >= kLargeBase) {
    const Large* large = large_at(address);
    if (large == nullptr) return {};
    header = &large->header;
    payload = large->payload;
  } else {
    header = small_header(address);
    payload = reinterpret_cast<std::uintptr_t>(header) + kHeaderBytes;
  }
  return wire::make_location(wire::Region::heap, header->number,
                             static_cast<std::uint32_t>(address - payload));
}

}  // namespace raddle::runtime
