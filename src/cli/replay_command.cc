// SPDX-License-Identifier: Apache-2.0
//
// raddle replay FINDING [--out DIR] [-- PROG ARGS...]
//
// The schedule file alone decides what is run: program, working directory, input, commands around
// the run. If the finding's folder is there, its events serve to name places in messages.
#include <errno.h>
#include <fmt/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>

#include "cc/response_file.h"
#include "cli/command.h"
#include "cli/event_dump.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/options.h"
#include "cli/replayed.h"
#include "cli/summary.h"
#include "facts/event_hash.h"
#include "launch/gdb_executor.h"
#include "outcome/recorded_finding.h"
#include "outcome/reporter.h"
#include "report/frames.h"
#include "search/values.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string reference;
  std::string out = ".raddle";
  std::string dump_events;
  std::chrono::milliseconds run_timeout{10'000};
  Arguments program;  // empty: the recorded one
  bool quiet = false;
  bool gdb = false;
  Arguments gdb_arguments;
};

Result<std::optional<ReplayOptions>> parse_replay_options(const Arguments& arguments) {
  Options options("raddle replay", "raddle replay FINDING [options] [-- PROG ARGS...]",
                  Words::among_options);
  ReplayOptions result;
  std::string timeout = "10";
  std::string gdb_arguments;
  CLI::App& app = options.app();
  app.add_option("--out", result.out, "where findings are kept, default .raddle")->type_name("DIR");
  app.add_option("--run-timeout", timeout, "real time of the run, default 10 seconds")
      ->type_name("S");
  app.add_flag("--quiet", result.quiet, "print one line only");
  app.add_flag("--gdb", result.gdb, "run it below gdb; there, `help raddle` lists commands");
  app.add_option("--gdb-args", gdb_arguments, "further arguments for gdb, quoted as in a shell")
      ->type_name("ARGS");
  app.add_option("--dump-events", result.dump_events)->group("");
  app.footer(
      "FINDING is a number (see `raddle list findings`), the directory of a finding, or a "
      "schedule\n"
      "file.\n\n"
      "Exit codes: 1 the finding happened again, 0 the program ran to its end without it, 4 it no\n"
      "longer follows the schedule, 2 bad usage or input, 3 the program cannot be run.");
  auto proceed = options.parse(arguments);
  if (!proceed) return proceed.error();
  if (!*proceed) return std::optional<ReplayOptions>();
  if (options.words().size() != 1)
    return Error{"replay which finding? Usage: raddle replay FINDING [-- PROG ARGS...]",
                 kExitUsage};
  auto duration = search::parse_duration("--run-timeout", timeout);
  if (!duration) return duration.error();
  result.run_timeout = *duration;
  result.reference = options.words()[0];
  result.program = options.after_dashes();
  if (!gdb_arguments.empty() && !result.gdb)
    return Error{"--gdb-args is of use with --gdb only", kExitUsage};
  result.gdb_arguments = cc::split_words(gdb_arguments);
  return std::optional<ReplayOptions>(std::move(result));
}

int report_trial(const ReplayOptions& options, const facts::Schedule& schedule,
                 campaign::Trial& trial, const launch::Program& program,
                 launch::Executor& executor) {
  report::Symbolizer symbolizer;
  report::ProgramNames names(facts::ModuleTable::from_wire(executor.modules()), symbolizer,
                             trial.run.stacks.get());
  outcome::prefer_recorded(trial, schedule, executor.error_output(), names);
  // A warning is no answer to the question whether something has failed again.
  bool recorded = schedule.kind.empty() || schedule.kind == trial.judgement.kind.name;
  if (!recorded && facts::ended_well(trial.judgement)) trial.judgement = {};
  switch (trial.judgement.outcome) {
    case facts::Outcome::ok:
      fmt::print("the program ran to its end without the finding ({})\n", schedule.kind);
      return 0;
    case facts::Outcome::blocked:  // never of a replay
    case facts::Outcome::limited:
      fmt::print("the run was cut after {} steps without the finding ({})\n", trial.run.steps,
                 schedule.kind);
      return 0;
    case facts::Outcome::unsupported:
      return fail({fmt::format("{} cannot be run under control: {}", program.argv[0],
                               trial.run.verdict.message),
                   kExitCannotRun});
    case facts::Outcome::diverged:
      return fail(divergence({options.out, options.reference}, schedule, trial, program, names));
    case facts::Outcome::finding:
      break;
  }
  campaign::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  facts::Finding finding = outcome::describe_trial(trial, surroundings, schedule.directory,
                                                   executor.error_output(), names);
  bool same = schedule.kind.empty() || schedule.kind == finding.kind.name;
  if (options.quiet) {
    fmt::print("{}", finding_line(finding));
    return 1;
  }
  if (same)
    fmt::print("it happened again: ");
  else
    fmt::print("another finding than the recorded one ({}): ", schedule.kind);
  fmt::print("{}", finding_text(finding, ""));
  bool known = schedule.events_hash != 0 && schedule.build_id == program.elf.build_id;
  if (known && schedule.events_hash != facts::event_hash(trial.run.events))
    fmt::print(stderr,
               "raddle: note: the steps were not all the recorded ones: the program depends on "
               "something raddle does not control\n");
  return 1;
}

int carry_out(const ReplayOptions& options, const facts::Schedule& schedule,
              const launch::Program& program, launch::Executor& executor, campaign::Trials& trials,
              const facts::Plan& plan) {
  auto dump = EventDump::open(options.dump_events);
  if (!dump) return fail(dump.error());
  outcome::look_for_recorded(trials, schedule);
  auto trial = trials.run(plan);
  if (!trial && trial.error().exit_code == 0) {  // the user left gdb
    fmt::print("{}\n", trial.error().message);
    return 0;
  }
  if (!trial) return fail(trial.error());
  dump->add(trial->run);
  if (!options.quiet) {
    fmt::print("{}", executor.output());
    fflush(stdout);
    fmt::print(stderr, "{}", executor.error_output());
  }
  return report_trial(options, schedule, *trial, program, executor);
}

int replay(const ReplayOptions& options, const facts::Schedule& schedule,
           const launch::Program& program) {
  const volatile std::sig_atomic_t* interrupts = watch_interrupts();
  launch::ExecutorOptions executor_options;
  executor_options.max_steps = std::max(schedule.max_steps, 1u);
  executor_options.run_timeout = options.run_timeout;
  executor_options.output_on_disk = !schedule.check.empty();
  executor_options.interrupts = interrupts;
  campaign::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  std::unique_ptr<launch::GdbExecutor> gdb;
  if (options.gdb) {
    auto created = launch::GdbExecutor::create(program, executor_options,
                                               {options.gdb_arguments, [&] {
                                                  return campaign::prepare_surroundings(
                                                      surroundings, program.directory, interrupts);
                                                }});
    if (!created) return fail(created.error());
    gdb = std::move(*created);
  }
  auto executor = launch::start_executor(program, executor_options);
  if (!executor) return fail(executor.error());
  campaign::Trials trials(**executor, program.directory, surroundings, interrupts);
  auto plan = replay_plan(schedule, **executor, trials);
  if (!plan) return fail(plan.error());
  if (!gdb) return carry_out(options, schedule, program, **executor, trials, *plan);
  gdb->bind_now((*executor)->binds_now());
  executor->reset();  // its process would be another one of the program beside gdb's
  campaign::Trials below_gdb(*gdb, program.directory, surroundings, interrupts);
  return carry_out(options, schedule, program, *gdb, below_gdb, *plan);
}

// A schedule of a unit test: the test program replays it by itself.
int replay_test(const ReplayOptions& options, const facts::Schedule& schedule,
                const launch::Program& program) {
  auto file = report::FindingStore(options.out).schedule_path(options.reference);
  if (!file) return fail(file.error());
  std::error_code ignored;
  std::string path = fs::absolute(*file, ignored).string();
  if (options.gdb)
    return fail({fmt::format("--gdb does not go with unit tests; run `RADDLE_REPLAY={} gdb --args "
                             "{} ...` and set a breakpoint in the test",
                             path, program.argv[0]),
                 kExitUsage});
  if (!options.quiet) fmt::print("{} replays its test {}\n", program.argv[0], schedule.test);
  fflush(stdout);
  std::vector<char*> words;
  for (const std::string& word : program.argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  setenv("RADDLE_REPLAY", path.c_str(), 1);
  fs::current_path(program.directory, ignored);
  execv(program.path.c_str(), words.data());
  return fail({fmt::format("cannot start {}: {}", program.path, strerror(errno)), kExitCannotRun});
}

}  // namespace

int cmd_replay(const Arguments& arguments) {
  auto options = parse_replay_options(arguments);
  if (!options) return fail(options.error());
  if (!*options) return 0;
  auto schedule = report::FindingStore((*options)->out).load_schedule((*options)->reference);
  if (!schedule) return fail(schedule.error());
  auto program = find_replayed((*options)->program, *schedule);
  if (!program) return fail(program.error());
  if (!schedule->test.empty()) return replay_test(**options, *schedule, *program);
  return replay(**options, *schedule, *program);
}

}  // namespace raddle::cli
