// SPDX-License-Identifier: Apache-2.0
//
// What a plain access means: the sharing filter, so that data touched by one thread produces no
// events and the remembered accesses can be published when a second thread comes; and the check for
// data races. Target side.
#pragma once

#include "runtime/context.h"
#include "runtime/heap.h"
#include "runtime/locate.h"
#include "runtime/race.h"

namespace raddle::runtime {

// The current thread is about to access [address, address + size): updates the shadow, publishes
// what became shared, reports races. `is_point`: the access is a step of its own, so its event is
// always published.
void observe_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site,
                    bool is_point);

// A new run begins, in which accesses are published.
void forget_told_reads();

// The current thread is about to free a block: a write of all of it. It races as one if it is
// called from instrumented code that no library has called: libraries free what they count with
// atomics of their own, which are not seen. What such a race would lead to is seen, as an access to
// a freed block. `is_point`: the free is a step of its own. `shares_objects`: others have used
// synchronisation objects in the block.
void observe_free(std::uintptr_t address, std::size_t size, std::uintptr_t pc, bool is_point,
                  bool shares_objects);

inline Access current_access(const NewAccess& access, std::uint8_t mask) {
  const Fiber& me = *g.current;
  auto flags = static_cast<std::uint8_t>(access.flags | (me.in_handler ? kInHandler : 0));
  return make_access(me.epoch, me.id, mask, flags, place_of(access.site));
}

// Ends the run if the access is to memory that nobody owns any more, as far as the poison in the
// shadow does not tell.
inline void check_owned(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  if (is_dead_stack(address)) report_dead_stack(address, size, is_write, site);
  if (is_freed_large(address)) report_heap_access(address, size, is_write, site);
}

// visit(granule, mask of its bytes) for the granules of a range.
template <class Visit>
inline void for_each_granule(std::uintptr_t address, std::size_t size, Visit visit) {
  std::uintptr_t end = address + size;
  for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < end; granule += 8) {
    unsigned first = granule < address ? static_cast<unsigned>(address - granule) : 0;
    unsigned last = end - granule < 8 ? static_cast<unsigned>(end - granule) : 8;
    visit(granule, static_cast<std::uint8_t>(((1u << last) - 1) & ~((1u << first) - 1)));
  }
}

}  // namespace raddle::runtime
