// SPDX-License-Identifier: Apache-2.0
//
// One bit a site; 32 MiB of address space, touched only where the program's points are. Target
// side.
#include "runtime/point_sites.h"

#include <sys/mman.h>

#include "runtime/fatal.h"
#include "runtime/real.h"

namespace raddle::runtime {

std::uint64_t* point_bits;
bool sites_left_out;

namespace {

constexpr std::size_t kSiteWords = (std::size_t{kSiteMax} + 1) / 64;
SiteId* current_sites;  // what is set now, to clear it again
std::uint32_t current_site_count;

struct {
  unsigned char* bytes;
  std::size_t count;
  SiteId first;
} kept;

void set_point(SiteId site, bool is_point) {
  std::uint64_t bit = std::uint64_t{1} << (site % 64);
  std::uint64_t& word = point_bits[site / 64];
  word = is_point ? word | bit : word & ~bit;
  if (site - kept.first < kept.count) kept.bytes[site - kept.first] = is_point ? 1 : 0;
}

}  // namespace

void init_point_sites() {
  void* bits = mmap(nullptr, kSiteWords * 8 + kSiteMax, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED) refuse("not enough address space for the point sites");
  point_bits = static_cast<std::uint64_t*>(bits);
  current_sites = reinterpret_cast<SiteId*>(point_bits + kSiteWords);
}

void set_point_sites(const SiteId* sites, std::uint32_t count) {
  for (std::uint32_t i = 0; i < current_site_count; ++i) set_point(current_sites[i], false);
  current_site_count = 0;
  sites_left_out = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (sites[i] > kSiteMax) {
      sites_left_out = true;
      continue;
    }
    current_sites[current_site_count++] = sites[i];
    set_point(sites[i], true);
  }
}

const unsigned char* keep_point_bytes(SiteId first, std::size_t count) {
  if (kept.first == first && kept.count == count) return kept.bytes;
  if (kept.count != 0) RADDLE_REAL(munmap)(kept.bytes, kept.count);
  void* bytes = RADDLE_REAL(mmap)(nullptr, count, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) refuse("not enough address space for the point sites");
  kept = {static_cast<unsigned char*>(bytes), count, first};
  for (std::uint32_t i = 0; i < current_site_count; ++i) set_point(current_sites[i], true);
  return kept.bytes;
}

}  // namespace raddle::runtime
