// SPDX-License-Identifier: Apache-2.0
//
// IRoot: one way in which accesses of two threads depend on each other (idioms.h says what the six
// idioms are). Engine side; pure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/access_stream.h"
#include "analysis/epoch_map.h"

namespace raddle::analysis {

inline constexpr unsigned kIdioms = 6;
inline constexpr std::size_t kRootsMax = 1u << 18;  // of one run

struct IRoot {
  struct Part {
    SiteId site = 0;
    wire::OpKind kind = wire::OpKind::none;
    wire::Location where{};   // of the first instance
    std::uint32_t index = 0;  // its event; that of a lock that was never taken is the run's length
  };
  std::uint8_t idiom = 0;  // 1 to kIdioms
  std::uint8_t count = 0;  // of parts: A, B, C, D
  std::array<Part, 4> parts{};

  // Equal in all runs of a build for the same idiom, sites and kinds.
  std::uint64_t hash() const;
  void add(const SharedAccess& access) {
    parts[count++] = {access.site, access.kind, access.where, access.index};
  }
};

// A set of iRoots in the order of their first instances.
class IRootSet {
 public:
  void clear();
  // False if it is known. Of the two forms of idiom 5 the smaller one is kept.
  bool add(IRoot root);
  const std::vector<IRoot>& roots() const { return roots_; }
  // There were more than kRootsMax.
  bool truncated() const { return truncated_; }

 private:
  std::vector<IRoot> roots_;
  EpochMap<bool> known_;
  bool truncated_ = false;
};

// The bytes of two accesses.
bool overlap(const SharedAccess& a, const SharedAccess& b);

}  // namespace raddle::analysis
