// SPDX-License-Identifier: Apache-2.0
//
// The program's heap while it is under control: blocks at addresses that are the same in every run,
// numbered in order of allocation, and found in constant time from any address inside them.
// Target side.
#pragma once

#include <cstddef>

#include "wire/op.h"

namespace raddle::runtime {

void init_heap();

// alignment is a power of two, at least 16. Null when out of memory.
void* heap_allocate(std::size_t size, std::size_t alignment, bool zeroed);
// Requires: in_heap(block).
void heap_free(void* block);
std::size_t heap_usable_size(void* block);
bool in_heap(const void* address);

wire::Location locate_in_heap(std::uintptr_t address);

}  // namespace raddle::runtime
