// SPDX-License-Identifier: Apache-2.0
//
// Trial: one run together with what the user asked to do around it (--before, --check), judged.
// Engine side; what campaigns and replays have in common.
#pragma once

#include <csignal>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/endless.h"
#include "campaign/recording.h"
#include "detect/panel.h"
#include "facts/judge.h"
#include "launch/executor.h"

namespace raddle::campaign {

struct Trial {
  facts::Run run;  // valid until the next trial
  facts::Judgement judgement;
  std::vector<facts::Evidence> evidence;  // all that detectors have seen in the run
  // Of it, what the trial is about; or that it should not have been possible (schedule_violation).
  // Nothing: it is about how the run has ended.
  std::optional<facts::Evidence> about;
  int check_exit = 0;        // of --check, 128 + signal if one killed it
  std::string check_output;  // what it printed, if it failed
};

// Carries out --before, if there is one. An error means that it failed.
Status prepare_surroundings(const Surroundings& surroundings, const std::string& directory,
                            const volatile std::sig_atomic_t* interrupts);

struct OwnedTrial;

// Runs that went in circles and did not come back to a state are looked at so often; then they are
// runs that were cut, like others.
inline constexpr std::size_t kCirclesLookedAt = 3;

class Trials {
 public:
  // `interrupts` may be null.
  Trials(launch::Executor& executor, std::string directory, Surroundings surroundings,
         const volatile std::sig_atomic_t* interrupts);
  ~Trials();

  // An error means that the trial did not take place: a failing --before command or a failing
  // executor.
  Result<Trial> run(const facts::Plan& plan);
  // run() in two parts, where the executor can (launch::Overlapping); else finish() does it all.
  Status begin(const facts::Plan& plan);
  Result<Trial> finish();
  // The same, apart from other runs (Executor::repeat).
  Result<Trial> repeat(const facts::Plan& plan);
  // A run that has taken place.
  Result<Trial> judge_run(facts::Run run);

  // From now on runs are looked at by these detectors.
  void look_by(const detect::Settings& settings) { panel_ = detect::Panel(settings); }

  // Whether one of them needs that of every run.
  bool needs(detect::Needs what) const { return panel_.needs(what); }

  launch::Executor& executor() { return executor_; }
  // Null: it cannot.
  launch::Overlapping* overlapping() { return overlapping_; }
  launch::InPlace* in_place() { return in_place_; }
  const Surroundings& surroundings() const { return surroundings_; }

 private:
  Result<Trial> settle(const facts::Plan& plan, Result<Trial> trial);
  Result<Circles> circles_of(const facts::Plan& plan, const OwnedTrial& trial);
  Result<Trial> make(const facts::Plan& plan,
                     Result<facts::Run> (launch::Executor::*way)(const facts::Plan&));
  const facts::Plan& with_needs(const facts::Plan& plan);
  Status check_output(Trial& trial);

  launch::Executor& executor_;
  launch::Overlapping* overlapping_;
  launch::InPlace* in_place_;
  std::string directory_;
  Surroundings surroundings_;
  const volatile std::sig_atomic_t* interrupts_;
  detect::Panel panel_;
  facts::Plan completed_;
  std::optional<facts::Plan> begun_;
  // Of runs that only went in circles: what further runs have shown, by their choices.
  std::map<std::uint64_t, Circles> circles_;
  std::unique_ptr<OwnedTrial> settled_;  // the last of them: others have been made since
};

}  // namespace raddle::campaign
