// SPDX-License-Identifier: Apache-2.0
//
// The path of a plain memory access through the runtime. Target side. Kept inline and short: it
// runs for every load and store of the program.
#pragma once

#include <cstddef>

#include "runtime/runtime.h"
#include "runtime/shadow.h"

namespace raddle::runtime {

// A thread that makes very many accesses without a point gives others a chance: otherwise a loop
// waiting for a plain variable would never end. Counted in accesses, so it is deterministic.
void tick(std::uintptr_t pc);

void track_access(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t pc);

// Where only races count, the first access of an epoch is as good as the last: most are over here.
inline bool adds_nothing(std::uintptr_t address, std::size_t size, bool is_write) {
  unsigned first = address & 7;
  if (g.publish || first + size > 8) return false;
  unsigned mask = ((1u << size) - 1) << first;
  const Cell& cell = cell_of(address);
  const Fiber& me = *g.current;
  if ((cell.poison & mask) != 0) return false;
  return stands_in(cell.write, me.id, me.epoch, mask) ||
         (!is_write && stands_in(cell.read, me.id, me.epoch, mask));
}

inline void plain_access(const void* address, std::size_t size, bool is_write, std::uintptr_t pc) {
  if (g.access_mode == AccessMode::ignore) return;
  // Whoever waits for a variable reads it, so counting reads is enough.
  if (!is_write && __builtin_expect(--g.access_budget <= 0, 0)) tick(pc);
  if (g.access_mode == AccessMode::count_only) return;
  if (adds_nothing(reinterpret_cast<std::uintptr_t>(address), size, is_write)) return;
  track_access(reinterpret_cast<std::uintptr_t>(address), size, is_write, pc);
}

}  // namespace raddle::runtime
