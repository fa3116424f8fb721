// SPDX-License-Identifier: Apache-2.0
//
// The sharing filter: for every 8 bytes of the program the last write and the last read, so that
// data touched by one thread produces no events and the remembered accesses can be published when a
// second thread comes. Target side.
#pragma once

#include <cstddef>

#include "runtime/runtime.h"

namespace raddle::runtime {

void init_shadow();

// The current thread is about to access [address, address + size): updates the shadow, publishes
// what became shared. `is_point`: the access is a step of its own, so its event is always
// published.
void observe_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site,
                    bool is_point);

// Recycled memory must not look shared.
void forget_shadow(std::uintptr_t address, std::size_t size);

// The sites at which plain accesses are points, from the plan.
void set_point_sites(const SiteId* sites, std::uint32_t count);
bool is_point_site(SiteId site);

}  // namespace raddle::runtime
