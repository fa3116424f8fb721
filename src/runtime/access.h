// SPDX-License-Identifier: Apache-2.0
//
// The path of a plain memory access through the runtime. Target side. Kept inline and short: it
// runs for every load and store of the program.
#pragma once

#include <cstddef>

#include "runtime/runtime.h"

namespace raddle::runtime {

// A thread that makes very many accesses without a point gives others a chance: otherwise a loop
// waiting for a plain variable would never end. Counted in accesses, so it is deterministic.
void tick(std::uintptr_t pc);

void track_access(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t pc);

inline void plain_access(const void* address, std::size_t size, bool is_write, std::uintptr_t pc) {
  if (g.access_mode == AccessMode::ignore) return;
  // Whoever waits for a variable reads it, so counting reads is enough.
  if (!is_write && __builtin_expect(--g.access_budget <= 0, 0)) tick(pc);
  if (g.access_mode == AccessMode::count_only) return;
  track_access(reinterpret_cast<std::uintptr_t>(address), size, is_write, pc);
}

}  // namespace raddle::runtime
