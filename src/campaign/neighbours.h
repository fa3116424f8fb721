// SPDX-License-Identifier: Apache-2.0
//
// Neighbours: plans for runs that are like a given one but for a part: what `raddle explain` holds
// a failing run against. Engine side.
//
// Three sorts take turns. Cuts follow the given run up to one of its choices and then let the
// running thread go on while it can, from the last choice backwards, first one by one and then in
// larger strides: the first that passes is as close as a run without the last preemptions can be.
// Branches follow it up to about there and then go on at random. Samples have nothing in common
// with it but the program and its input, so that what is usual is seen, too.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "facts/run.h"

namespace raddle::campaign {

class Neighbours {
 public:
  // `plan` repeats the run exactly (strict_plan).
  Neighbours(const facts::Plan& plan, const facts::Run& run, std::uint64_t seed);

  // There is always another one; they repeat themselves only where the program has few runs.
  facts::Plan next();
  // Whether the run of the last plan passed.
  void observe(bool passed);

 private:
  facts::Plan cut(std::size_t choices, const char* policy);
  facts::Plan sample();
  bool next_cut(std::size_t& choices);

  facts::Plan plan_;  // as all of them begin
  std::vector<wire::ChoiceRecord> choices_;
  Rng rng_;
  std::uint64_t made_ = 0;
  std::uint64_t samples_ = 0;
  std::size_t back_ = 0;    // of the last cut: choices left out
  std::size_t branch_ = 0;  // branches leave the run about there
  bool found_ = false;      // a cut that passed
  bool was_cut_ = false;
};

}  // namespace raddle::campaign
