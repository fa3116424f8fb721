// SPDX-License-Identifier: Apache-2.0
//
// SiteSet: the sites that were seen to touch data shared by two threads. Engine side. Grows, and
// hands out the same immutable sorted vector until it does, so that an executor sees by the pointer
// whether it already has this version.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "facts/run.h"

namespace raddle::search {

class SiteSet {
 public:
  // A plain access that conflicts with another thread's (kEventConflict) names a shared site, and
  // so does the end of the run (late_sites). Returns whether a new one was among them.
  bool add_from(const facts::Run& run);

  // Exactly these; sorted, none twice.
  void restore(std::vector<SiteId> sites) {
    sites_ =
        sites.empty() ? nullptr : std::make_shared<const std::vector<SiteId>>(std::move(sites));
  }

  std::size_t size() const { return sites_ ? sites_->size() : 0; }
  // Sorted; null while there are none.
  const std::shared_ptr<const std::vector<SiteId>>& sites() const { return sites_; }

 private:
  bool contains(SiteId site) const;

  std::shared_ptr<const std::vector<SiteId>> sites_;
  std::vector<SiteId> fresh_;  // scratch of add_from, kept for its capacity
};

}  // namespace raddle::search
