// SPDX-License-Identifier: Apache-2.0
//
// Teller: makes findings of what runs have shown: each is told of once, repeated once, kept with
// the schedule that repeats it. Engine side.
#pragma once

#include <set>
#include <string>

#include "campaign/course.h"
#include "campaign/suspects.h"

namespace raddle::campaign {

// The run that showed a finding: of the search, or else beside it.
struct Origin {
  std::uint64_t run;               // how many the search had made
  std::uint64_t directed_run = 0;  // 0: one of the search
};

// How the run has ended, as the end of a sentence about the program.
std::string describe_end(const Trial& trial);

class Teller {
 public:
  // Both have to stay.
  Teller(Course& course, const Suspects& suspects) : course_(course), suspects_(suspects) {}

  // The finding's signature, whether it is a new one or not. Requires: the trial's outcome is a
  // finding.
  std::string tell(const facts::Plan& plan, const Trial& trial, const Origin& origin);
  // The same for what a detector has seen in the trial.
  std::string tell_of(const facts::Evidence& evidence, const facts::Plan& plan, const Trial& trial,
                      const Origin& origin);

 private:
  bool leaves_out(const facts::Finding& finding);
  std::string remark(const Trial& trial) const;
  void note_not_reproduced(const Trial& again, facts::Finding& finding);

  Course& course_;
  const Suspects& suspects_;
  std::set<std::string> signatures_;
};

}  // namespace raddle::campaign
