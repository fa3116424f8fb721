// SPDX-License-Identifier: Apache-2.0
//
// Which code is never interleaved unserializably (avio.h) in correct runs: the access-interleaving
// invariants of AVIO, learned from runs. Engine side; pure.
//
// The dissertation starts from all instructions and removes those that a correct run violates; it
// is left with those that were never executed, too, and drops them in the end. Here the set starts
// empty and has, as of each run, the code that could have been violated and was not: it followed an
// access of its own thread to data that another thread accesses as well. Both come to the same set.
//
// Runs that fail are not shown to a training: an oracle judges them, and it may be wrong. So many
// violating runs as the user tolerates do not remove an invariant.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/avio.h"

namespace raddle::analysis {

class Training {
 public:
  struct Count {
    std::uint64_t runs = 0;        // that could have violated it
    std::uint64_t violations = 0;  // runs that have
  };

  explicit Training(std::uint64_t tolerated = 0) : tolerated_(tolerated) {}

  // A correct run: Avio::candidates() and Avio::interleavings().
  void add(std::span<const SiteId> candidates, std::span<const Interleaving> interleavings);

  bool holds(const Count& count) const { return count.runs > 0 && count.violations <= tolerated_; }
  const std::map<SiteId, Count>& counts() const { return counts_; }
  std::size_t invariants() const { return invariants_; }  // how many hold
  std::uint64_t runs() const { return runs_; }
  // Runs since one last changed the set.
  std::uint64_t unchanged() const { return unchanged_; }

 private:
  std::uint64_t tolerated_;
  std::map<SiteId, Count> counts_;
  std::size_t invariants_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t unchanged_ = 0;
};

}  // namespace raddle::analysis
