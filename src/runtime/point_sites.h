// SPDX-License-Identifier: Apache-2.0
//
// The sites at which plain accesses are points, from the plan. Target side.
#pragma once

#include "base/ids.h"

namespace raddle::runtime {

void init_point_sites();
void set_point_sites(const SiteId* sites, std::uint32_t count);

inline constexpr SiteId kSiteMax = (1u << 28) - 1;
extern std::uint64_t* point_bits;  // a bit a site
inline bool is_point_site(SiteId site) {
  return site <= kSiteMax && (point_bits[site / 64] >> (site % 64) & 1) != 0;
}

}  // namespace raddle::runtime
