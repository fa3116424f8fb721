// SPDX-License-Identifier: Apache-2.0
//
// The program's heap while it is under control: blocks at addresses that are the same in every run,
// numbered in order of allocation, and found in constant time from any address inside them.
// Target side.
//
// It is also the heap oracle: bytes between blocks and bytes of freed blocks are poisoned in the
// shadow, so that an instrumented access to them ends the run with a finding; freed blocks rest in
// a quarantine of bounded size before they are used again.
#pragma once

#include <cstddef>

#include "runtime/locate.h"
#include "runtime/memory_map.h"
#include "wire/op.h"

namespace raddle::runtime {

void init_heap();

// Where runs are repeated in one process: before and after each. Requires: between them runs are
// made, outside of them nobody is under control.
void begin_heap_run();
void end_heap_run();
// What runs have left allocated so far, all of them together, and large blocks that are in use.
std::size_t heap_bytes_left();

// alignment is a power of two, at least 16. Null when out of memory. `pc`: who asks for it.
void* heap_allocate(std::size_t size, std::size_t alignment, bool zeroed, std::uintptr_t pc);
// Requires: in_heap(block). Ends the run if it is no block, or a freed one. `pc`: who frees it.
void heap_free(void* block, std::uintptr_t pc);
std::size_t heap_usable_size(void* block);

// While one of these lives, blocks are for the runtime's own purposes (a fiber's TLS): they are not
// watched, and used again at once.
class RuntimeBlocks {
 public:
  RuntimeBlocks();
  RuntimeBlocks(const RuntimeBlocks&) = delete;
  RuntimeBlocks& operator=(const RuntimeBlocks&) = delete;
  ~RuntimeBlocks();
};
bool in_heap(const void* address);

// All blocks that are in use, the runtime's included.
void visit_live_blocks(void (*visit)(void* context, std::uintptr_t payload, std::size_t size),
                       void* context);
template <class Function>
void for_each_live_block(Function& function) {
  visit_live_blocks([](void* context, std::uintptr_t payload,
                       std::size_t size) { (*static_cast<Function*>(context))(payload, size); },
                    &function);
}

wire::Location locate_in_heap(std::uintptr_t address);

// The current thread touches bytes that are poisoned, or the stack of a thread that has ended.
[[noreturn]] void report_heap_access(std::uintptr_t address, std::size_t size, bool is_write,
                                     SiteId site);
[[noreturn]] void report_dead_stack(std::uintptr_t address, std::size_t size, bool is_write,
                                    SiteId site);
// The current thread carries out an operation on a synchronisation object in such memory.
[[noreturn]] void report_gone_object(std::uintptr_t address, SiteId site);
// Small freed blocks are poisoned in the shadow; that of a large one would be too much to write.
bool is_freed_slot(std::uintptr_t slot);
inline bool is_freed_large(std::uintptr_t address) {
  return address - kLargeBase < kLargeBytes && is_freed_slot((address - kLargeBase) / kSlotBytes);
}

// free() of something that is no block of any heap.
[[noreturn]] void report_invalid_free(std::uintptr_t address, std::uintptr_t pc);

}  // namespace raddle::runtime
