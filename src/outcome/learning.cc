// SPDX-License-Identifier: Apache-2.0
//
// See learning.h. Engine side.
#include "outcome/learning.h"

#include <fmt/format.h>

#include <vector>

namespace raddle::outcome {
namespace {

using Clock = std::chrono::steady_clock;

// Shows the training one run. An error means that the program cannot be run under control.
Status learn_from(const campaign::Trial& trial, const LearningOptions& options,
                  const launch::Program& program, analysis::Avio& avio, Learned& learned) {
  learned.steps += trial.run.steps;
  if (trial.judgement.outcome == facts::Outcome::unsupported)
    return Error{fmt::format("{} cannot be run under control: {}", program.argv[0],
                             trial.run.verdict.message),
                 kExitCannotRun};
  if (!facts::ended_well(trial.judgement)) {
    bool found = trial.judgement.outcome == facts::Outcome::finding;
    if (learned.failed++ == 0)
      learned.first_failure = found ? trial.judgement.kind.name : "cut short";
    return Done{};
  }
  avio.begin();
  for (const wire::Event& event : trial.run.events) avio.on_event(event);
  learned.training.add(avio.candidates(), avio.interleavings());
  if (options.on_good_run) options.on_good_run(trial.run);
  return Done{};
}

}  // namespace

Status check_learns(const search::Strategy& strategy, const std::string& option) {
  if (strategy.make_learning != nullptr) return Done{};
  std::vector<std::string_view> names;
  for (const search::Strategy& each : search::strategies())
    if (each.make_learning != nullptr) names.push_back(each.name);
  std::string_view last = names.back();
  names.pop_back();
  return Error{fmt::format("{} {}: learning needs runs that differ and record every access: {} or "
                           "{}",
                           option, strategy.name, fmt::join(names, ", "), last),
               kExitUsage};
}

Result<Learned> learn(const LearningOptions& options, const launch::Program& program,
                      search::Search& search, campaign::Trials& trials, LearnedMemo& memo) {
  Learned learned;
  learned.training = analysis::Training(options.tolerated);
  analysis::Avio avio(options.granularity);
  Clock::time_point begin = Clock::now();
  auto over = [&] {
    learned.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    learned.interrupted = options.interrupts != nullptr && *options.interrupts > 0;
    learned.stable = learned.training.unchanged() >= options.stable;
    bool late =
        options.budget.time_max.count() != 0 && Clock::now() - begin >= options.budget.time_max;
    bool enough =
        options.budget.schedules_max != 0 && learned.runs() >= options.budget.schedules_max;
    return learned.interrupted || learned.stable || late || enough;
  };
  while (!over()) {
    auto plan = search.next();
    if (!plan) break;
    auto trial = trials.run(*plan);
    if (!trial && trial.error().exit_code == launch::kExitInterrupted) {
      learned.interrupted = true;
      break;
    }
    if (!trial) return trial.error();
    if (Status status = learn_from(*trial, options, program, avio, learned); !status)
      return status.error();
    search.observe(trial->run);
    Status written = memo.on_run(learned.training, learned.failed, trials.executor().modules());
    if (!written) return written.error();
  }
  if (learned.runs() == 0) return learned;
  Status written = memo.end(learned.training, learned.failed, trials.executor().modules());
  if (!written) return written.error();
  return learned;
}

}  // namespace raddle::outcome
