// SPDX-License-Identifier: Apache-2.0
//
// Which unserializable interleavings of a failing run may be why it fails: those that passing runs
// do not have. Engine side; pure.
//
// This is AVIO's postmortem use (see avio.h): the passing runs, of the same input, are the training
// and the failing run is judged by it. Where training says only which invariants are broken, the
// interleavings are put in an order, root cause first:
//   1. in as few passing runs as possible, best in none;
//   2. its I interleaved unserializably, by whatever code, in as few passing runs as possible: one
//      that is so in none is an invariant, and this breaks it;
//   3. its last instance as near to the failure as possible: what went wrong long before has mostly
//      had no effect.
// The order of the rest is that of their first instances.
#pragma once

#include <span>
#include <vector>

#include "analysis/avio.h"

namespace raddle::analysis {

struct RankedInterleaving {
  Interleaving what;            // in the failing run
  std::uint64_t passing = 0;    // passing runs that have it, too
  std::uint64_t passing_i = 0;  // passing runs with any at its I
  std::uint64_t distance = 0;   // events from its last I to the end of the run

  // No passing run is interleaved so at this I.
  bool breaks_invariant() const { return passing_i == 0; }
};

// `passing`: Avio::interleavings() of each passing run; `failing`: of the failing one, which has so
// many events. The sites have to mean the same in all of them.
std::vector<RankedInterleaving> rank_interleavings(
    std::span<const std::vector<Interleaving>> passing, std::span<const Interleaving> failing,
    std::size_t failing_events);

}  // namespace raddle::analysis
