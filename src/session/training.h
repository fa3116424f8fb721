// SPDX-License-Identifier: Apache-2.0
//
// A training: runs are made as a session makes them, and what the good ones teach about atomicity
// is kept in the memo (outcome/learning.h). Engine side; common to `raddle learn` and to unit
// tests.
#pragma once

#include "outcome/learning.h"
#include "session/request.h"

namespace raddle::session {

class Training {
 public:
  // `options` without budget and interrupts, which are the request's. It has to stay.
  Training(const Request& request, outcome::LearningOptions options);

  // Before the program is started: refuses a file that is no memo.
  Status open() const { return memo_.look(); }
  // Makes the runs.
  Result<outcome::Learned> learn(launch::Executor& executor);

  const outcome::LearningOptions& options() const { return options_; }
  // Where it is kept.
  const std::string& path() const { return memo_.path(); }

 private:
  const Request& request_;
  outcome::LearningOptions options_;
  outcome::LearnedMemo memo_;
};

}  // namespace raddle::session
