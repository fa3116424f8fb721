// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a counting semaphore. Both sides; pure.
#pragma once

#include <cerrno>

#include "base/ids.h"

namespace raddle::model {

struct Semaphore {
  std::uint32_t value = 0;

  static constexpr std::uint32_t kValueMax = 0x7fffffff;

  bool grants() const { return value > 0; }
  // Requires: grants().
  void take() { --value; }
  int try_take() {
    if (value == 0) return EAGAIN;
    --value;
    return 0;
  }
  int post() {
    if (value == kValueMax) return EOVERFLOW;
    ++value;
    return 0;
  }
};

}  // namespace raddle::model
