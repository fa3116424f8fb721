// SPDX-License-Identifier: Apache-2.0
//
// raddle explain FINDING [--runs N] [--time D] [--top N] [--json FILE] [-- PROG ARGS...]
//
// The schedule file alone decides what is run, as for `raddle replay`; then the program is run many
// more times, in ways that are like the failing one (outcome/explainer.h).
#include <fmt/core.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/options.h"
#include "cli/replayed.h"
#include "cli/text_file.h"
#include "outcome/explainer.h"
#include "outcome/recorded_finding.h"
#include "report/explanation_text.h"
#include "report/finding_store.h"
#include "search/values.h"

namespace raddle::cli {
namespace {

struct ExplainCommand {
  std::string reference;
  std::string out = ".raddle";
  std::string json;  // a file, "-" for standard output, empty for none
  std::chrono::milliseconds run_timeout{10'000};
  outcome::ExplainOptions explain;
  Arguments program;  // empty: the recorded one
};

Result<std::optional<ExplainCommand>> parse_options(const Arguments& arguments) {
  Options options("raddle explain", "raddle explain FINDING [options] [-- PROG ARGS...]",
                  Words::among_options);
  ExplainCommand result;
  std::string timeout = "10", time = "10";
  CLI::App& app = options.app();
  app.add_option("--runs", result.explain.runs_max, "runs to compare with, default 200")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  app.add_option("--time", time, "at most so long, default 10 seconds")->type_name("D");
  app.add_option("--top", result.explain.causes_max, "causes to name, default 3")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  app.add_option("--seed", result.explain.seed, "of the runs, default 1")->type_name("N");
  app.add_option("--json", result.json, "write the result as JSON, - for standard output")
      ->type_name("FILE");
  app.add_option("--out", result.out, "where findings are kept, default .raddle")->type_name("DIR");
  app.add_option("--run-timeout", timeout, "real time of a run, default 10 seconds")
      ->type_name("S");
  app.footer(
      "FINDING is a number (see `raddle list findings`), the directory of a finding, or a "
      "schedule\n"
      "file.\n\n"
      "Exit codes: 0 causes were named, or that there are none to be seen; 1 the program ran to "
      "its\n"
      "end without the finding, so there is nothing to explain; 4 it no longer follows the "
      "schedule,\n"
      "2 bad usage or input, 3 the program cannot be run.");
  auto proceed = options.parse(arguments);
  if (!proceed) return proceed.error();
  if (!*proceed) return std::optional<ExplainCommand>();
  if (options.words().size() != 1)
    return Error{"explain which finding? Usage: raddle explain FINDING [-- PROG ARGS...]",
                 kExitUsage};
  auto run_time = search::parse_duration("--run-timeout", timeout);
  if (!run_time) return run_time.error();
  auto all_time = search::parse_duration("--time", time);
  if (!all_time) return all_time.error();
  result.run_timeout = *run_time;
  result.explain.time_max = *all_time;
  result.reference = options.words()[0];
  result.program = options.after_dashes();
  return std::optional<ExplainCommand>(std::move(result));
}

// 0 if the trial can be explained, else the exit code; says why.
int refuse(const ExplainCommand& command, const facts::Schedule& schedule,
           const campaign::Trial& trial, const launch::Program& program, report::Names& names) {
  switch (trial.judgement.outcome) {
    case facts::Outcome::finding:
      return 0;
    case facts::Outcome::diverged:
      return fail(divergence({command.out, command.reference}, schedule, trial, program, names));
    case facts::Outcome::unsupported:
      return fail({fmt::format("{} cannot be run under control: {}", program.argv[0],
                               trial.run.verdict.message),
                   kExitCannotRun});
    case facts::Outcome::ok:
    case facts::Outcome::blocked:
    case facts::Outcome::limited:
      break;
  }
  return fail({fmt::format("the program ran to its end without the finding ({}): there is nothing "
                           "to explain",
                           schedule.kind),
               1});
}

int explain(ExplainCommand& command, const facts::Schedule& schedule,
            const launch::Program& program) {
  command.explain.interrupts = watch_interrupts();
  launch::ExecutorOptions executor_options;
  executor_options.max_steps = std::max(schedule.max_steps, 1u);
  executor_options.run_timeout = command.run_timeout;
  executor_options.output_on_disk = !schedule.check.empty();
  executor_options.interrupts = command.explain.interrupts;
  auto executor = launch::start_executor(program, executor_options);
  if (!executor) return fail(executor.error());
  campaign::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  campaign::Trials trials(**executor, program.directory, surroundings, command.explain.interrupts);
  outcome::look_for_recorded(trials, schedule);
  auto plan = replay_plan(schedule, **executor, trials);
  if (!plan) return fail(plan.error());
  plan->header.races = 1;  // without them accesses are not recorded
  auto trial = trials.run(*plan);
  if (!trial) return fail(trial.error());
  report::Symbolizer symbolizer;
  report::ProgramNames names(facts::ModuleTable::from_wire((*executor)->modules()), symbolizer,
                             trial->run.stacks.get());
  outcome::prefer_recorded(*trial, schedule, (*executor)->error_output(), names);
  if (int code = refuse(command, schedule, *trial, program, names); code != 0) return code;
  campaign::OwnedTrial failing(*trial);
  outcome::Explainer explainer(trials, *plan, names, schedule.directory, command.explain);
  auto explanation = explainer.explain(failing.trial);
  if (!explanation) return fail(explanation.error());
  if (command.json == "-") {
    fmt::print("{}", report::explanation_json(*explanation));
    return 0;
  }
  fmt::print("{}", report::explanation_text(*explanation, schedule.directory));
  if (command.json.empty()) return 0;
  auto written = write_text(command.json, report::explanation_json(*explanation));
  return written ? 0 : fail(written.error());
}

}  // namespace

int cmd_explain(const Arguments& arguments) {
  auto command = parse_options(arguments);
  if (!command) return fail(command.error());
  if (!*command) return 0;
  auto schedule = report::FindingStore((*command)->out).load_schedule((*command)->reference);
  if (!schedule) return fail(schedule.error());
  if (!schedule->test.empty())
    return fail({fmt::format("finding {} is of the unit test {}, which only its program can run; "
                             "`raddle test {}` makes findings that can be explained",
                             (*command)->reference, schedule->test, schedule->program[0]),
                 kExitUsage});
  auto kind = facts::finding_kind(schedule->kind);
  if (kind && kind->is_warning())
    return fail({fmt::format("finding {} is a warning ({}), which says all there is to say; if its "
                             "run has also failed, that is another of `raddle list findings`",
                             (*command)->reference, schedule->kind),
                 kExitUsage});
  auto program = find_replayed((*command)->program, *schedule);
  if (!program) return fail(program.error());
  return explain(**command, *schedule, *program);
}

}  // namespace raddle::cli
