// SPDX-License-Identifier: Apache-2.0
//
// Filter: narrows the enabled threads before the policy sees them. Target side, built for both.
#pragma once

#include "policy/policy.h"

namespace raddle::policy {

class Filter {
 public:
  // Removes threads from `allowed`, which starts as choice.enabled. Must leave at least one.
  virtual void narrow(const Choice& choice, ThreadSet& allowed) = 0;

 protected:
  ~Filter() = default;
};

}  // namespace raddle::policy
