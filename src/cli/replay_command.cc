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
#include "cli/summary.h"
#include "facts/event_hash.h"
#include "launch/gdb_executor.h"
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

std::string base_name(const std::string& path) { return fs::path(path).filename().string(); }

// The program to run: the recorded one, or the one named on the command line if it can be another
// build of it.
Result<launch::Program> find_program(const ReplayOptions& options,
                                     const facts::Schedule& schedule) {
  std::error_code ignored;
  if (!fs::is_directory(schedule.directory, ignored))
    return Error{fmt::format("the schedule was recorded in {}, which does not exist any more",
                             schedule.directory),
                 kExitUsage};
  bool given = !options.program.empty();
  std::string here = fs::current_path(ignored).string();
  auto program =
      given ? launch::load_program(options.program, here, "")
            : launch::load_program(schedule.program, schedule.directory, schedule.stdin_file);
  if (!program) return program.error();
  program->directory = schedule.directory;
  program->stdin_file = schedule.stdin_file;
  bool same_build = program->elf.build_id == schedule.build_id;
  if (given && (!same_build || schedule.build_id.empty()) &&
      base_name(program->argv[0]) != base_name(schedule.program[0]))
    return Error{fmt::format("the schedule belongs to another program: it was recorded with {}, "
                             "not with {}",
                             schedule.program[0], program->argv[0]),
                 kExitUsage};
  if (!same_build)
    fmt::print(stderr,
               "raddle: warning: {} was rebuilt since the schedule was recorded; it may not fit "
               "any more\n",
               program->argv[0]);
  return program;
}

// Sites are numbered by the loaded modules. A fork server knows them from the start; without one a
// run of a single step tells.
Status learn_modules(launch::Executor& executor) {
  if (!executor.modules().empty()) return Done{};
  facts::Plan probe;
  fmt::format_to_n(probe.header.policy, wire::kPolicyNameMax - 1, "nonpreemptive");
  probe.header.max_steps = 1;
  auto run = executor.run(probe);
  if (!run) return run.error();
  return Done{};
}

// "step 12: expected T2 lock at transfer (bank.cpp:9)" from what was recorded. The events of the
// finding are there if it was replayed from its folder.
std::string expectation(const facts::Schedule& schedule, std::uint32_t index,
                        const std::optional<report::StoredFinding>& stored,
                        report::Symbolizer& symbolizer) {
  if (index >= schedule.choices.size())
    return fmt::format("after all {} recorded choices", schedule.choices.size());
  const wire::ChoiceRecord& choice = schedule.choices[index];
  if (choice.kind == wire::OpKind::value)
    return fmt::format("step {}: expected the value {}", choice.step, choice.picked);
  std::string text = fmt::format("step {}: expected T{} {}", choice.step, choice.picked,
                                 wire::op_word(choice.kind));
  if (!stored) return text;
  for (const wire::Event& event : stored->recording.events) {
    if (event.step != choice.step || (event.flags & wire::kEventStep) == 0) continue;
    report::ProgramNames names(stored->recording.modules, symbolizer);
    std::string place = report::frame_text(report::best_frame(names.frames(event.site)));
    return place.empty() ? text : text + " at " + place;
  }
  return text;
}

// What the thread that was expected is doing instead.
std::string reality(const facts::Schedule& schedule, const search::Trial& trial,
                    report::Names& names) {
  std::uint32_t index = trial.run.verdict.diverged_choice;
  std::string reason = trial.run.verdict.message;
  if (index >= schedule.choices.size()) return reason;
  ThreadId thread = schedule.choices[index].picked;
  for (const wire::ThreadReport& report : trial.run.threads) {
    if (report.id != thread || schedule.choices[index].kind == wire::OpKind::value) continue;
    constexpr const char* kStates[] = {"is about to", "is about to", "is blocked in", "sleeps in",
                                       "has finished after"};
    auto state = static_cast<std::size_t>(report.state);
    std::string place;
    for (std::uint32_t i = 0; i < report.frame_count && place.empty(); ++i)
      place = report::place_text(report::best_frame(names.frames(report.frames[i])));
    return fmt::format("{} (T{} {} {}{})", reason, thread, kStates[std::min(state, std::size_t{4})],
                       wire::op_word(report.op), place.empty() ? "" : " at " + place);
  }
  return reason;
}

// The recorded violation of atomicity, if the run has it. What was learned is not asked for: it may
// be elsewhere, or have changed since.
void prefer_violation(search::Trial& trial, const facts::Schedule& schedule,
                      const std::string& error_output, report::Names& names) {
  using analysis::Granularity;
  search::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  for (Granularity granularity : {Granularity::word, Granularity::byte, Granularity::line}) {
    analysis::Avio avio(granularity);
    avio.suspect([](SiteId) { return true; });
    avio.begin();
    for (const wire::Event& event : trial.run.events) avio.on_event(event);
    analysis::Findings candidates;
    avio.finish(trial.run, candidates);
    for (const facts::Evidence& candidate : candidates) {
      search::Trial about = trial;
      about.judgement = {search::Outcome::finding, facts::FindingKind::atomicity_violation};
      about.evidence = {candidate};
      facts::Finding finding =
          outcome::describe_trial(about, surroundings, schedule.directory, error_output, names);
      if (finding.message != schedule.message) continue;
      trial = std::move(about);
      return;
    }
  }
}

// Races and potential deadlocks leave the run as it was: they are the trial's finding if they are
// what was recorded.
void prefer_recorded(search::Trial& trial, const facts::Schedule& schedule,
                     const std::string& error_output, report::Names& names) {
  auto kind = facts::finding_kind(schedule.kind);
  if (kind == facts::FindingKind::atomicity_violation)
    return prefer_violation(trial, schedule, error_output, names);
  bool cycle = kind == facts::FindingKind::potential_deadlock;
  if (!cycle && kind != facts::FindingKind::data_race) return;
  const analysis::Findings& candidates = cycle ? trial.cycles : trial.races;
  if (candidates.empty()) return;
  trial.judgement = {search::Outcome::finding, *kind};
  search::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  for (const facts::Evidence& candidate : candidates) {
    trial.evidence = {candidate};
    facts::Finding finding =
        outcome::describe_trial(trial, surroundings, schedule.directory, error_output, names);
    if (finding.message == schedule.message) return;
  }
  trial.evidence = {candidates.front()};
}

int report_trial(const ReplayOptions& options, const facts::Schedule& schedule,
                 search::Trial& trial, const launch::Program& program, launch::Executor& executor) {
  report::Symbolizer symbolizer;
  report::ProgramNames names(facts::ModuleTable::from_wire(executor.modules()), symbolizer);
  prefer_recorded(trial, schedule, executor.error_output(), names);
  switch (trial.judgement.outcome) {
    case search::Outcome::ok:
      fmt::print("the program ran to its end without the finding ({})\n", schedule.kind);
      return 0;
    case search::Outcome::blocked:  // never of a replay
    case search::Outcome::limited:
      fmt::print("the run was cut after {} steps without the finding ({})\n", trial.run.steps,
                 schedule.kind);
      return 0;
    case search::Outcome::unsupported:
      return fail({fmt::format("{} cannot be run under control: {}", program.argv[0],
                               trial.run.verdict.message),
                   kExitCannotRun});
    case search::Outcome::diverged: {
      auto loaded = report::FindingStore(options.out).load(options.reference);
      std::optional<report::StoredFinding> stored;
      // Recorded places mean nothing in another build.
      if (loaded && schedule.build_id == program.elf.build_id) stored = std::move(*loaded);
      std::string expected =
          expectation(schedule, trial.run.verdict.diverged_choice, stored, symbolizer);
      return fail({fmt::format("the run no longer follows the schedule: {}, but {}", expected,
                               reality(schedule, trial, names)),
                   kExitDiverged});
    }
    case search::Outcome::finding:
      break;
  }
  search::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  facts::Finding finding = outcome::describe_trial(trial, surroundings, schedule.directory,
                                                   executor.error_output(), names);
  bool same = schedule.kind.empty() || schedule.kind == facts::finding_name(finding.kind);
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

// The plan that repeats the recorded run. `executor` tells what the sites of the schedule are.
Result<facts::Plan> make_plan(const facts::Schedule& schedule, launch::Executor& executor,
                              search::Trials& trials) {
  if (!schedule.sites.empty())
    if (auto status = learn_modules(executor); !status) return status.error();
  std::size_t unknown = 0;
  facts::Plan plan = search::strict_plan(schedule, executor.modules(), unknown);
  if (unknown > 0) {
    // Libraries that the program itself loads are known once a run has loaded them. This one cannot
    // be right to its end, for it does not stop at their places.
    if (auto rehearsal = trials.run(plan); !rehearsal) return rehearsal.error();
    plan = search::strict_plan(schedule, executor.modules(), unknown);
  }
  if (unknown > 0)
    fmt::print(stderr, "raddle: warning: {} recorded places belong to libraries not loaded now\n",
               unknown);
  return plan;
}

int carry_out(const ReplayOptions& options, const facts::Schedule& schedule,
              const launch::Program& program, launch::Executor& executor, search::Trials& trials,
              const facts::Plan& plan) {
  auto dump = EventDump::open(options.dump_events);
  if (!dump) return fail(dump.error());
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
  search::Surroundings surroundings{schedule.before, schedule.check, schedule.expect_exit};
  std::unique_ptr<launch::GdbExecutor> gdb;
  if (options.gdb) {
    auto created = launch::GdbExecutor::create(program, executor_options,
                                               {options.gdb_arguments, [&] {
                                                  return search::prepare_surroundings(
                                                      surroundings, program.directory, interrupts);
                                                }});
    if (!created) return fail(created.error());
    gdb = std::move(*created);
  }
  auto executor = launch::start_executor(program, executor_options);
  if (!executor) return fail(executor.error());
  search::Trials trials(**executor, program.directory, surroundings, interrupts);
  auto plan = make_plan(schedule, **executor, trials);
  if (!plan) return fail(plan.error());
  if (!gdb) return carry_out(options, schedule, program, **executor, trials, *plan);
  gdb->bind_now((*executor)->binds_now());
  executor->reset();  // its process would be another one of the program beside gdb's
  search::Trials below_gdb(*gdb, program.directory, surroundings, interrupts);
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
  auto program = find_program(**options, *schedule);
  if (!program) return fail(program.error());
  if (!schedule->test.empty()) return replay_test(**options, *schedule, *program);
  return replay(**options, *schedule, *program);
}

}  // namespace raddle::cli
