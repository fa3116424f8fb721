// SPDX-License-Identifier: Apache-2.0
//
// See filters.h.
#include "policy/filters.h"

#include <new>

#include "base/check.h"

namespace raddle::policy {

std::uint32_t FilterChain::add(Filter& filter) {
  RADDLE_CHECK(count_ < kMax);
  filters_[count_] = &filter;
  acts_always_ |= !filter.only_for_yields();
  return 1u << count_++;
}

std::uint32_t FilterChain::narrow(const Choice& choice, ThreadSet& allowed) const {
  std::uint32_t cut = 0;
  for (unsigned i = 0; i < count_; ++i) {
    unsigned before = allowed.size();
    filters_[i]->narrow(choice, allowed);
    RADDLE_CHECK(!allowed.empty());
    if (allowed.size() != before) cut |= 1u << i;
  }
  return cut;
}

FilterChain make_filters(const wire::Plan&, FilterStorage& storage) {
  FilterChain chain;
  storage.fairness = new (storage.fairness_place) FairnessFilter;
  storage.fairness_bit = chain.add(*storage.fairness);
  return chain;
}

}  // namespace raddle::policy
