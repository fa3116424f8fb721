// SPDX-License-Identifier: Apache-2.0
//
// What the commands that run a kept schedule again have in common: finding the program, making the
// plan, saying where the program has left the schedule. Engine side.
#pragma once

#include "campaign/trial.h"
#include "cli/command.h"
#include "facts/schedule.h"
#include "launch/executor.h"
#include "report/names.h"

namespace raddle::cli {

// The program to run: the recorded one, or the one named on the command line, if any, if it can be
// another build of it.
Result<launch::Program> find_replayed(const Arguments& named, const facts::Schedule& schedule);

// The plan that repeats the recorded run. `executor` tells what the sites of the schedule are.
Result<facts::Plan> replay_plan(const facts::Schedule& schedule, launch::Executor& executor,
                                campaign::Trials& trials);

// Where the schedule comes from: a reference below the folder of findings.
struct FindingReference {
  std::string out;
  std::string reference;
};

// That the run of the trial does not follow the schedule any more, and where.
Error divergence(const FindingReference& from, const facts::Schedule& schedule,
                 const campaign::Trial& trial, const launch::Program& program,
                 report::Names& names);

// What a thread of that state is doing, before the word for its operation.
const char* state_words(wire::ThreadState state);

}  // namespace raddle::cli
