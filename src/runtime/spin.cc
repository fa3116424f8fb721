// SPDX-License-Identifier: Apache-2.0
//
// A few recent reads for each thread, enough for loops that poll several variables. Target side.
#include "runtime/spin.h"

#include <string.h>

namespace raddle::runtime {
namespace {

// True if this is another turn of a loop that has seen exactly this before.
bool repeats(std::uintptr_t address, SiteId site, std::uint64_t value) {
  Fiber& me = *g.current;
  unsigned known = me.spin_next < kSpinSlots ? me.spin_next : kSpinSlots;
  for (unsigned i = 0; i < known; ++i) {
    SpinSlot& slot = me.spins[i];
    if (slot.address != address || slot.site != site) continue;
    if (slot.value == value) return ++slot.repeats >= kSpinReads;
    slot.value = value;
    slot.repeats = 0;
    return false;
  }
  me.spins[me.spin_next % kSpinSlots] = {address, value, site, 0};
  me.spin_next = me.spin_next + 1 < 2 * kSpinSlots ? me.spin_next + 1 : kSpinSlots;
  return false;
}

}  // namespace

void note_read(const PendingOp& op) {
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(op.address), op.size < 8 ? op.size : 8);
  if (repeats(op.address, op.site, value)) mark_yielding();
}

void note_failure(const PendingOp& op) {
  if (repeats(op.address, op.site, ~std::uint64_t{0})) mark_yielding();
}

}  // namespace raddle::runtime
