// SPDX-License-Identifier: Apache-2.0
//
// The sites at which plain accesses are points, from the plan. Target side.
#pragma once

#include "base/ids.h"

namespace raddle::runtime {

void init_point_sites();
void set_point_sites(const SiteId* sites, std::uint32_t count);
bool is_point_site(SiteId site);

}  // namespace raddle::runtime
