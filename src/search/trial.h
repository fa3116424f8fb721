// SPDX-License-Identifier: Apache-2.0
//
// Trial: one run together with what the user asked to do around it (--before, --check), judged.
// Engine side; what campaigns and replays have in common.
#pragma once

#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "analysis/avio.h"
#include "analysis/livelock.h"
#include "analysis/lock_order.h"
#include "analysis/locksets.h"
#include "analysis/races.h"
#include "launch/executor.h"
#include "search/judge.h"
#include "search/recording.h"

namespace raddle::search {

struct Trial {
  facts::Run run;  // valid until the next trial
  Judgement judgement;
  // Of a livelock, or of the race, potential deadlock or atomicity violation that the trial is
  // about.
  analysis::Findings evidence;
  analysis::Findings races;        // whatever else came of the run
  analysis::Findings cycles;       // potential deadlocks, likewise
  analysis::Findings violations;   // of learned invariants (suspect_atomicity), likewise
  analysis::Findings unprotected;  // data without a lock (look_at_locksets), likewise
  int check_exit = 0;              // of --check, 128 + signal if one killed it
  std::string check_output;        // what it printed, if it failed
};

// Carries out --before, if there is one. An error means that it failed.
Status prepare_surroundings(const Surroundings& surroundings, const std::string& directory,
                            const volatile std::sig_atomic_t* interrupts);

class Trials {
 public:
  // `interrupts` may be null.
  Trials(launch::Executor& executor, std::string directory, Surroundings surroundings,
         const volatile std::sig_atomic_t* interrupts);

  // An error means that the trial did not take place: a failing --before command or a failing
  // executor.
  Result<Trial> run(const facts::Plan& plan);
  // run() in two parts (launch::Executor::begin).
  Status begin(const facts::Plan& plan);
  Result<Trial> finish();
  // The same, apart from other runs (Executor::repeat).
  Result<Trial> repeat(const facts::Plan& plan);
  // A run that has taken place.
  Result<Trial> judge_run(facts::Run run);

  // From now on runs are judged by these invariants, too (analysis/avio.h). What that gives is of
  // worth only for plans that record every access to shared data.
  void suspect_atomicity(analysis::Granularity granularity, std::function<bool(SiteId)> invariant);

  // From now on the locks at accesses are compared, too (analysis/locksets.h). What that gives is
  // of worth only for plans that record every access to shared data.
  void look_at_locksets() { locksets_.emplace(); }

  launch::Executor& executor() { return executor_; }
  const Surroundings& surroundings() const { return surroundings_; }

 private:
  void judge_limited(Trial& trial);
  Status check_output(Trial& trial);

  launch::Executor& executor_;
  std::string directory_;
  Surroundings surroundings_;
  const volatile std::sig_atomic_t* interrupts_;
  analysis::Livelock livelock_;
  analysis::Races races_;
  analysis::LockOrder lock_order_;
  std::optional<analysis::Avio> atomicity_;
  std::optional<analysis::Locksets> locksets_;
};

}  // namespace raddle::search
