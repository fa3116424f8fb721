// SPDX-License-Identifier: Apache-2.0
//
// What a run amounts to, by its verdict and its wait status alone. Engine side; pure.
#pragma once

#include "facts/finding.h"
#include "facts/run.h"

namespace raddle::facts {

enum class Outcome {
  ok,           // ended as expected
  finding,      // `kind` says which
  limited,      // cut by max_steps: livelock analysis has the last word
  diverged,     // could not be steered as planned
  blocked,      // cut short: other runs show what it would have shown
  unsupported,  // did something raddle cannot control
};

struct Judgement {
  Outcome outcome = Outcome::ok;
  FindingKind kind = FindingKind::exit_code;  // if a finding
};

Judgement judge(const Run& run, int expect_exit);

// Whether the program itself has done what it should: all there is to say of it is a warning.
inline bool ended_well(const Judgement& judgement) {
  return judgement.outcome == Outcome::ok ||
         (judgement.outcome == Outcome::finding && judgement.kind.is_warning());
}

}  // namespace raddle::facts
