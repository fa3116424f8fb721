// SPDX-License-Identifier: Apache-2.0
//
// Collecting shared sites. Engine side. Runs after every run, so it allocates only when it grows.
#include "search/site_set.h"

#include <algorithm>

#include "launch/shared_memory.h"

namespace raddle::search {

bool SiteSet::contains(SiteId site) const {
  return sites_ && std::binary_search(sites_->begin(), sites_->end(), site);
}

bool SiteSet::add_from(const facts::Run& run) {
  fresh_.clear();
  for (SiteId site : run.late_sites)
    if (site != 0 && !contains(site)) fresh_.push_back(site);
  SiteId last = 0;
  for (const wire::Event& event : run.events) {
    bool access = wire::is_plain_access(event.kind) || event.kind == wire::OpKind::memory_free ||
                  event.kind == wire::OpKind::race || event.kind == wire::OpKind::race_with;
    bool shared = access && (event.flags & wire::kEventConflict) != 0;
    if (!shared || event.site == 0 || event.site == last) continue;
    last = event.site;
    if (!contains(last)) fresh_.push_back(last);
  }
  if (fresh_.empty()) return false;
  if (sites_) fresh_.insert(fresh_.end(), sites_->begin(), sites_->end());
  std::sort(fresh_.begin(), fresh_.end());
  fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
  // Far more sites than programs have; beyond it the lowest are kept, so that the set is stable.
  if (fresh_.size() > launch::kSitesMax) fresh_.resize(launch::kSitesMax);
  if (sites_ && fresh_.size() == sites_->size()) return false;
  sites_ = std::make_shared<const std::vector<SiteId>>(fresh_);
  return true;
}

}  // namespace raddle::search
