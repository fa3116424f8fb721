// SPDX-License-Identifier: Apache-2.0
//
// Filter: narrows the enabled threads before the policy sees them. Target side, built for both.
// filters.h applies several.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

class Filter {
 public:
  // Removes threads from `allowed`, which starts as choice.enabled and holds what earlier filters
  // have left. Must leave at least one.
  virtual void narrow(const Choice& choice, ThreadSet& allowed) = 0;

  // It removes nobody where no thread yields, sleeps or spins, and need not be asked there.
  virtual bool only_for_yields() const { return false; }

 protected:
  ~Filter() = default;
};

}  // namespace raddle::policy
