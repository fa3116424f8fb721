// SPDX-License-Identifier: Apache-2.0
//
// Inspector: what a campaign does about what detectors see in its runs. Engine side.
//
// What is told of at once becomes a finding with the run that first shows it. The rest is kept
// until the campaign is over. Meanwhile, what can be confirmed is tried by directed runs: beside
// the search, which is not told of them, and not counted as its runs; what they show is a finding
// as any other, with a schedule of its own.
#pragma once

#include "campaign/suspects.h"
#include "campaign/teller.h"

namespace raddle::campaign {

class Inspector {
 public:
  // Both have to stay.
  Inspector(Course& course, Teller& teller, Suspects& suspects)
      : course_(course), teller_(teller), suspects_(suspects) {}

  // Keeps what the run has shown until later. Where runs are made in place, most are made without
  // events. The first ones are not, and as a rule they take all locks that there are in all orders
  // that there are. Of runs beside the search (not `own`), which are like others that have been
  // looked at, only what can be confirmed.
  void note(const facts::Plan& plan, const Trial& trial, bool own = true);
  // Tells the listener of findings that the run has shown again, once each; but for what a run of
  // the plan `counted` shows, if that has been counted before.
  void count_known(const facts::Plan& plan, const Trial& trial,
                   const facts::Plan* counted = nullptr);
  // Whether the run has shown what is told of at once and is not known yet.
  bool has_new(const facts::Plan& plan, const Trial& trial) const;
  // Tells of it. `made` is the plan that the trial was made by, if that is not `plan`.
  void tell_new(const facts::Plan& plan, const facts::Plan& made, const Trial& trial);

  // Between runs of the search; with `all`, it is over.
  void try_suspects(bool all);
  // When the campaign is over.
  void tell_left_over();

 private:
  bool goes_on() const;
  void confirm(Suspect& suspect);
  void tell_late(Suspect& suspect);
  void note_better(Suspect& known, const facts::Evidence& evidence, const facts::Plan& plan,
                   const Trial& trial);

  Course& course_;
  Teller& teller_;
  Suspects& suspects_;
};

}  // namespace raddle::campaign
