// SPDX-License-Identifier: Apache-2.0
//
// Batches: when to make runs with events and when many without. Engine side.
//
// The first runs have events, so that the points are known and the policies know what to expect.
// After that batches alternate with single runs with events, which notice what batches do not show:
// new points, state that a test leaves behind. Batches grow, so that the single runs cost less and
// less of the whole, up to a size that still lets the user interrupt.
#pragma once

#include <algorithm>
#include <cstdint>

namespace raddle::search {

class Batches {
 public:
  // The size of the next batch, given the number of runs so far; 0: a run with events.
  std::uint64_t next(std::uint64_t runs, std::uint64_t max) {
    constexpr std::uint64_t kRunsWithEvents = 16, kLargest = 1 << 16;
    sampled_ = !sampled_;
    if (runs < kRunsWithEvents || sampled_) return 0;
    size_ = std::min(size_ * 2, kLargest);
    return std::min(size_, max);
  }

 private:
  std::uint64_t size_ = 64;
  bool sampled_ = false;
};

}  // namespace raddle::search
