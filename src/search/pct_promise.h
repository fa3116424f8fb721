// SPDX-License-Identifier: Apache-2.0
//
// PctPromise: counts the runs for which PCT's bound holds and states it with the numbers of the
// campaign. Engine side.
//
// Burckhardt et al. (ASPLOS 2010) promise a bug of depth d with probability 1 / (n k^(d-1)) in a
// run whose n and k were upper bounds. Ours are learned, and a fairness filter may overrule the
// priorities; runs in which either failed are not counted.
#pragma once

#include <string>
#include <vector>

#include "search/learned.h"

namespace raddle::search {

class PctPromise {
 public:
  explicit PctPromise(std::uint32_t depth) : depth_(depth) {}

  // Call for every plan, whatever its policy, and for its run: of the last plan, or of the one
  // whose ticket it has.
  void planned(const facts::Plan& plan);
  void observe(const facts::Run& run);
  void observe_batch(const wire::Batch& batch, std::uint64_t runs);

  std::uint64_t runs() const { return runs_; }
  std::string sentence(const Learned& learned) const;

 private:
  std::uint32_t depth_;
  std::uint64_t runs_ = 0;

  struct Pending {
    std::uint64_t ticket;
    bool relevant;
    std::uint32_t steps;
    std::uint32_t threads;
  };
  Pending take(std::uint64_t ticket);
  std::vector<Pending> pending_;  // plans that are under way
};

}  // namespace raddle::search
