// SPDX-License-Identifier: Apache-2.0
//
// The options of `raddle test`: names, defaults, limits. Engine side.
#include "cli/test_options.h"

#include <fmt/core.h>

#include <filesystem>

#include "cli/options.h"
#include "search/values.h"
#include "session/coverage_options.h"

namespace raddle::cli {
namespace {

constexpr std::uint64_t kMaxStepsMax = 100'000'000;
constexpr std::uint64_t kJobsMax = 256;
constexpr std::uint64_t kSchedulesDefault = 10'000;
constexpr std::chrono::milliseconds kTimeDefault{10'000};

// As text, so that every bad value gets a message in our own words.
struct Texts {
  std::string strategy = "auto";
  std::string schedules;
  std::string time;
  std::string seed = "1";
  std::string depth = "3";
  std::string points = "shared";
  std::string max_steps = "200000";
  std::string spurious = "0";
  std::string timers = "idle";
  std::string races = "fail";
  std::string library_races = "off";
  std::string atomicity = "warn";
  std::string fail_on = "none";
  std::string expect_exit = "0";
  std::string run_timeout = "10";
  search::SearchTexts search;
  std::string jobs = "1";
  bool resume = false;
  session::CoverageTexts coverage;
};

constexpr const char* kFooter =
    "Without --schedules and --time a campaign ends after 10 s or 10000 runs, whichever comes\n"
    "first; with one of them, only that one counts. It also ends at the first finding (see\n"
    "--keep-going). Ctrl-C ends it after the current run, which gets a second at most; the\n"
    "summary and --json are still written.\n\n"
    "Exit codes: 0 nothing found, 1 a finding, 2 bad usage or input, 3 the program cannot be run\n"
    "under control, 70 a bug in raddle. An interrupted campaign counts what it had found.";

void declare(Options& options, Texts& texts, TestOptions& result) {
  session::Request& request = result.request;
  CLI::App& app = options.app();
  auto add = [&app](const char* name, std::string& text, const char* placeholder,
                    const char* help) { app.add_option(name, text, help)->type_name(placeholder); };
  add("--strategy", texts.strategy, "NAME", "how schedules are chosen (`raddle list strategies`)");
  add("--schedules", texts.schedules, "N", "at most N runs");
  add("--time", texts.time, "DURATION", "at most this long: 500ms, 30s, 2m");
  add("--seed", texts.seed, "N", "of all random choices, default 1");
  add("--bound", texts.search.bound.text, "N",
      "preemptions (best-first, preemption-bound) or delays (delay-bound) of a run at most");
  add("--priority", texts.search.priority.text, "LIST",
      "what best-first runs first, default mdpor,pb (`raddle list priorities`)");
  add("--method", texts.search.method.text, "NAMES", "the functions that priority `method` is for");
  add("--var", texts.search.var.text, "NAMES",
      "the variables and members that priority `var` is for");
  add("--memory", texts.search.memory.text, "SIZE",
      "what a systematic search may take before it goes to disk: 512M, 2G");
  app.add_flag("--keep-going", request.campaign.keep_going, "do not stop at the first finding");
  add("--stop-when", texts.coverage.stop_when.text, "RULE",
      "saturated: end when runs do not add to the coverage any more");
  add("--saturation-runs", texts.coverage.saturation_runs.text, "N",
      "so many runs in a row have to add nothing, default 500");
  add("--saturation-part", texts.coverage.saturation_part.text, "PERCENT",
      "and this part of all observed runs, default 20");
  add("--jobs", texts.jobs, "N", "so many runs at a time, each in a process of its own; default 1");
  app.add_flag("--resume", texts.resume,
               "go on with the systematic search that the last such campaign did not finish");
  add("--depth", texts.depth, "D", "pct's depth, default 3");
  add("--points", texts.points, "SET",
      "where threads may be switched: sync, shared (default) or all");
  add("--max-steps", texts.max_steps, "N", "a run is cut after N steps, default 200000");
  add("--spurious", texts.spurious, "N", "spurious wake-ups allowed in a run, default 0");
  add("--timers", texts.timers, "MODE", "when time passes: idle (default) or any");
  add("--races", texts.races, "MODE",
      "data races: fail (default), report (exit code 0 if there is nothing else) or off");
  add("--library-races", texts.library_races, "MODE",
      "races inside the C++ library, which its users cannot mend: off (default) or report");
  add("--atomicity", texts.atomicity, "MODE",
      "violations of what `raddle learn` has learned: warn (default), fail (exit code 1) or off");
  add("--fail-on", texts.fail_on, "KINDS",
      "warnings that make the exit code 1, separated by commas, or none (default)");
  app.add_flag("--locksets", request.locksets,
               "warn of data that no lock protects at all accesses: a second opinion on races");
  app.add_flag("--stop-when-idle", request.plan.stop_when_idle,
               "a run ends well when every thread waits for input from outside (servers)");
  add("--expect-exit", texts.expect_exit, "N", "the exit code of a good run, default 0");
  add("--run-timeout", texts.run_timeout, "S", "real time of one run, default 10 seconds");
  add("--stdin", result.stdin_file, "FILE", "given to every run as standard input");
  add("--before", request.surroundings.before, "CMD", "run by /bin/sh before every run");
  add("--check", request.surroundings.check, "CMD",
      "run by /bin/sh after every run, fails if the run was bad; $RADDLE_STDOUT names a file "
      "with the run's output");
  add("--suppressions", request.suppressions.text, "FILE",
      "findings to leave out, in the format of ThreadSanitizer");
  add("--json", result.json, "FILE", "write the result as JSON; - is standard output");
  add("--out", request.out, "DIR", "where findings are kept, default .raddle");
  add("--coverage", texts.coverage.coverage.text, "RUNS",
      "observe which interleavings are covered (`raddle coverage`) in all runs, in some "
      "(default: all unless they are long) or not (off)");
  app.add_flag("!--no-memo", request.memo,
               "neither use nor change what is remembered in DIR/memo.db");
  app.add_flag("--quiet", result.quiet, "print findings only, a line each");
  app.add_option("--dump-events", result.dump_events)->group("");
  app.footer(kFooter);
}

// Stores a parsed value, or returns its error from the enclosing function.
#define RADDLE_TAKE(target, expression)              \
  do {                                               \
    auto parsed = (expression);                      \
    if (!parsed) return parsed.error();              \
    target = static_cast<decltype(target)>(*parsed); \
  } while (0)

Status interpret_budget(const Texts& texts, campaign::Budget& budget) {
  if (texts.schedules.empty() && texts.time.empty()) {
    budget = {kSchedulesDefault, kTimeDefault};
    return Done{};
  }
  if (!texts.schedules.empty())
    RADDLE_TAKE(budget.schedules_max,
                search::parse_number("--schedules", texts.schedules, 1, 1'000'000'000'000));
  if (!texts.time.empty())
    RADDLE_TAKE(budget.time_max, search::parse_duration("--time", texts.time));
  return Done{};
}

Status interpret(const Texts& texts, session::Request& request) {
  RADDLE_TAKE(request.strategy, search::find_strategy(texts.strategy));
  if (auto status = interpret_budget(texts, request.campaign.budget); !status) return status;
  search::PlanOptions& plan = request.plan;
  facts::Failing& failing = request.campaign.failing;
  RADDLE_TAKE(plan.seed, search::parse_number("--seed", texts.seed, 0, UINT64_MAX));
  RADDLE_TAKE(plan.depth, search::parse_number("--depth", texts.depth, 1, 1000));
  RADDLE_TAKE(plan.points, search::parse_points(texts.points));
  RADDLE_TAKE(plan.max_steps,
              search::parse_number("--max-steps", texts.max_steps, 1, kMaxStepsMax));
  RADDLE_TAKE(plan.spurious, search::parse_number("--spurious", texts.spurious, 0, 1'000'000));
  RADDLE_TAKE(plan.timers, search::parse_timers(texts.timers));
  RADDLE_TAKE(plan.races, search::parse_races(texts.races, failing.races));
  RADDLE_TAKE(request.campaign.library_races, search::parse_library_races(texts.library_races));
  RADDLE_TAKE(failing.warnings, search::parse_fail_on(texts.fail_on));
  RADDLE_TAKE(request.atomicity, search::parse_atomicity(texts.atomicity, failing.warnings));
  RADDLE_TAKE(request.focus, search::read_search_options(*request.strategy, texts.search, plan));
  RADDLE_TAKE(request.surroundings.expect_exit,
              search::parse_number("--expect-exit", texts.expect_exit, 0, 255));
  RADDLE_TAKE(request.run_timeout, search::parse_duration("--run-timeout", texts.run_timeout));
  RADDLE_TAKE(request.jobs, search::parse_number("--jobs", texts.jobs, 1, kJobsMax));
  if (request.jobs > 1 && !request.surroundings.before.empty())
    return Error{"--jobs: what --before prepares would be prepared for several runs at a time",
                 kExitUsage};
  if (auto status = session::read_coverage_options(texts.coverage, request); !status) return status;
  if (request.locksets && !plan.races)
    return Error{"--locksets: with --races off accesses are not looked at", kExitUsage};
  if (request.out.empty()) return Error{"--out: the name of the directory is empty", kExitUsage};
  // What was learned is a part of what is remembered.
  request.atomicity = request.atomicity && request.memo;
  request.resume = texts.resume ? session::Resume::must : session::Resume::no;
  return Done{};
}

#undef RADDLE_TAKE

}  // namespace

Result<std::optional<TestOptions>> parse_test_options(const Arguments& arguments) {
  Options options("raddle test", "raddle test [options] [--] PROG [ARGS...]", Words::end_options);
  Texts texts;
  TestOptions result;
  result.request.memo = result.request.keep_search = true;
  result.request.coverage = session::ObserveRuns::some;
  result.request.suppressions.by = "--suppressions";
  declare(options, texts, result);
  auto proceed = options.parse(arguments);
  if (!proceed) return proceed.error();
  if (!*proceed) return std::optional<TestOptions>();
  if (auto status = interpret(texts, result.request); !status) return status.error();
  result.program = options.words().empty() ? options.after_dashes() : options.words();
  if (result.program.empty())
    return Error{"which program? Usage: raddle test [options] [--] PROG [ARGS...]", kExitUsage};
  return std::optional<TestOptions>(std::move(result));
}

Status load_program(TestOptions& options) {
  std::error_code failure;
  std::string directory = std::filesystem::current_path(failure).string();
  if (failure) return Error{"the current directory does not exist any more", kExitUsage};
  auto program = launch::load_program(options.program, directory, options.stdin_file);
  if (!program) return program.error();
  options.request.campaign.program = std::move(*program);
  return Done{};
}

}  // namespace raddle::cli
