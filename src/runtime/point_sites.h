// SPDX-License-Identifier: Apache-2.0
//
// The sites at which plain accesses are points, from the plan. Target side.
#pragma once

#include <cstddef>

#include "base/ids.h"

namespace raddle::runtime {

void init_point_sites();
void set_point_sites(const SiteId* sites, std::uint32_t count);

inline constexpr SiteId kSiteMax = (1u << 28) - 1;
// Some of the plan's sites are beyond: nothing can be promised.
extern bool sites_left_out;
extern std::uint64_t* point_bits;  // a bit a site
inline bool is_point_site(SiteId site) {
  return site <= kSiteMax && (point_bits[site / 64] >> (site % 64) & 1) != 0;
}

// From now on the same is kept for the sites from `first` on, too, a byte each: for accesses that
// have no time for bits. Where they stay.
const unsigned char* keep_point_bytes(SiteId first, std::size_t count);

}  // namespace raddle::runtime
