// SPDX-License-Identifier: Apache-2.0
//
// FilterChain: the filters of a run, which narrow a choice one after the other before the policy
// sees it. Target side, built for both.
//
// A choice that the filters leave to one thread is none, and is not recorded. So a run can be
// repeated from its choices only under the same filters: which there are must follow from what a
// schedule file keeps of a plan, never from its steering. What holds threads back because of the
// steering is a policy, as LockCyclePolicy is.
#pragma once

#include "policy/fairness.h"
#include "policy/filter.h"

namespace raddle::policy {

class FilterChain {
 public:
  static constexpr unsigned kMax = 4;

  // The filter comes after those that are there, and must outlive the chain. Returns its bit in
  // what narrow() says. Requires: there are fewer than kMax.
  std::uint32_t add(Filter& filter);

  // Whether they have a say where nobody yields, too.
  bool acts_always() const { return acts_always_; }

  // Each sees in `allowed` what those before it have left. Returns those that took somebody out.
  // Requires: somebody is allowed. Somebody remains.
  std::uint32_t narrow(const Choice& choice, ThreadSet& allowed) const;

 private:
  Filter* filters_[kMax] = {};
  unsigned count_ = 0;
  bool acts_always_ = false;
};

// Zero-initialised storage is empty storage. Must stay where it is while the chain is in use.
struct FilterStorage {
  FairnessFilter* fairness;    // it is in every chain
  std::uint32_t fairness_bit;  // in what narrow() says
  alignas(FairnessFilter) unsigned char fairness_place[sizeof(FairnessFilter)];
};

// The filters of the plan.
FilterChain make_filters(const wire::Plan& plan, FilterStorage& storage);

}  // namespace raddle::policy
