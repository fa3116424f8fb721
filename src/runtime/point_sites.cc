// SPDX-License-Identifier: Apache-2.0
//
// One bit a site; 32 MiB of address space, touched only where the program's points are. Target
// side.
#include "runtime/point_sites.h"

#include <sys/mman.h>

#include "runtime/fatal.h"

namespace raddle::runtime {

std::uint64_t* point_bits;

namespace {

constexpr std::size_t kSiteWords = (std::size_t{kSiteMax} + 1) / 64;
SiteId* current_sites;  // what is set now, to clear it again
std::uint32_t current_site_count;

}  // namespace

void init_point_sites() {
  void* bits = mmap(nullptr, kSiteWords * 8 + kSiteMax, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED) refuse("not enough address space for the point sites");
  point_bits = static_cast<std::uint64_t*>(bits);
  current_sites = reinterpret_cast<SiteId*>(point_bits + kSiteWords);
}

void set_point_sites(const SiteId* sites, std::uint32_t count) {
  for (std::uint32_t i = 0; i < current_site_count; ++i)
    point_bits[current_sites[i] / 64] &= ~(std::uint64_t{1} << (current_sites[i] % 64));
  current_site_count = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (sites[i] > kSiteMax) continue;
    current_sites[current_site_count++] = sites[i];
    point_bits[sites[i] / 64] |= std::uint64_t{1} << (sites[i] % 64);
  }
}

}  // namespace raddle::runtime
