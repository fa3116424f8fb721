// SPDX-License-Identifier: Apache-2.0
//
// How the heap's blocks lie in memory. Target side; shared by the allocator (heap.cc) and the
// oracle (heap_errors.cc).
#pragma once

#include <cstddef>

#include "base/ids.h"
#include "runtime/memory_map.h"

namespace raddle::runtime {

enum class BlockState : std::uint8_t { unused, live, freed };

struct Header {
  std::uint32_t number;     // in order of allocation; kept after the free
  std::uint32_t next_free;  // index + 1 of the next block in the class's quarantine
  std::uint32_t size;       // as asked for; large blocks have their own
  std::uint16_t payload;    // distance from the header, in units of 16 bytes
  BlockState state;
  bool of_runtime;  // not the program's: not looked after
};
inline constexpr std::size_t kHeaderBytes = sizeof(Header);
static_assert(kHeaderBytes == 16);

// A block, wherever it lies.
struct BlockView {
  std::uint32_t number;
  BlockState state;
  std::uintptr_t payload;
  std::size_t size;
};

// Who freed a block, and where; kNoThread: not known any more.
struct FreedBy {
  ThreadId thread;
  SiteId site;
};
FreedBy freed_by(std::uintptr_t payload);

// The block whose bytes, header or padding hold the address. state is unused if there is none.
BlockView block_at(std::uintptr_t address);

}  // namespace raddle::runtime
