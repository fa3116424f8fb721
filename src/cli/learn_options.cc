// SPDX-License-Identifier: Apache-2.0
//
// The options of `raddle learn`: those of `raddle test` that say how runs are made, and its own.
// Engine side.
#include "cli/learn_options.h"

#include "cli/options.h"
#include "outcome/known_invariants.h"
#include "search/values.h"

namespace raddle::cli {
namespace {

constexpr std::uint64_t kSchedulesDefault = 10'000;
constexpr std::chrono::milliseconds kTimeDefault{10'000};

// As text, so that every bad value gets a message in our own words.
struct Texts {
  std::string strategy = "auto";
  std::string schedules;
  std::string time;
  std::string stable = "100";
  std::string tolerate = "0";
  std::string granularity = "word";
  std::string seed = "1";
  std::string depth = "3";
  std::string max_steps = "200000";
  std::string spurious = "0";
  std::string timers = "idle";
  std::string expect_exit = "0";
  std::string run_timeout = "10";
};

constexpr const char* kFooter =
    "Runs that end well teach which pairs of accesses are never interleaved so that no order\n"
    "explains it; `raddle test` then reports runs that are. Runs that fail are left out.\n\n"
    "Without --schedules and --time learning ends after 10 s or 10000 runs at the latest.\n\n"
    "Exit codes: 0 something was learned, 1 every run failed, 2 bad usage or input, 3 the program\n"
    "cannot be run under control, 70 a bug in raddle.";

void declare(Options& options, Texts& texts, LearnOptions& result) {
  CLI::App& app = options.app();
  TestOptions& test = result.test;
  auto add = [&app](const char* name, std::string& text, const char* placeholder,
                    const char* help) { app.add_option(name, text, help)->type_name(placeholder); };
  add("--stable", texts.stable, "M", "end when M runs have changed nothing, default 100");
  add("--tolerate", texts.tolerate, "T",
      "so many runs may violate an invariant before it is none, default 0");
  add("--granularity", texts.granularity, "SIZE",
      "what one place is: byte, word (4 bytes, default) or line (64 bytes)");
  app.add_flag("--hardware", result.hardware,
               "say, too, what a processor with AVIO's bits in its caches would have seen");
  add("--strategy", texts.strategy, "NAME",
      "how schedules are chosen: auto (default), random, pct, pos, urw or surw");
  add("--schedules", texts.schedules, "N", "at most N runs");
  add("--time", texts.time, "DURATION", "at most this long: 500ms, 30s, 2m");
  add("--seed", texts.seed, "N", "of all random choices, default 1");
  add("--depth", texts.depth, "D", "pct's depth, default 3");
  add("--max-steps", texts.max_steps, "N", "a run is cut after N steps, default 200000");
  add("--spurious", texts.spurious, "N", "spurious wake-ups allowed in a run, default 0");
  add("--timers", texts.timers, "MODE", "when time passes: idle (default) or any");
  app.add_flag("--stop-when-idle", test.request.plan.stop_when_idle,
               "a run ends well when every thread waits for input from outside (servers)");
  add("--expect-exit", texts.expect_exit, "N", "the exit code of a good run, default 0");
  add("--run-timeout", texts.run_timeout, "S", "real time of one run, default 10 seconds");
  add("--stdin", test.stdin_file, "FILE", "given to every run as standard input");
  add("--before", test.request.surroundings.before, "CMD", "run by /bin/sh before every run");
  add("--check", test.request.surroundings.check, "CMD",
      "run by /bin/sh after every run, fails if the run was bad; $RADDLE_STDOUT names a file "
      "with the run's output");
  add("--json", test.json, "FILE", "write the result as JSON; - is standard output");
  add("--out", test.request.out, "DIR", "where memo.db is, default .raddle");
  app.add_flag("--quiet", test.quiet, "print nothing but errors");
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
    budget.schedules_max = kSchedulesDefault;
    budget.time_max = kTimeDefault;
  }
  if (!texts.schedules.empty())
    RADDLE_TAKE(budget.schedules_max,
                search::parse_number("--schedules", texts.schedules, 1, 1'000'000'000'000));
  if (!texts.time.empty())
    RADDLE_TAKE(budget.time_max, search::parse_duration("--time", texts.time));
  return Done{};
}

Status interpret(const Texts& texts, LearnOptions& result) {
  session::Request& request = result.test.request;
  search::PlanOptions& plan = request.plan;
  outcome::LearningOptions& learning = result.learning;
  RADDLE_TAKE(request.strategy, search::find_strategy(texts.strategy));
  if (auto status = outcome::check_learns(*request.strategy, "--strategy"); !status) return status;
  if (auto status = interpret_budget(texts, request.campaign.budget); !status) return status;
  RADDLE_TAKE(learning.stable, search::parse_number("--stable", texts.stable, 1, 1'000'000'000));
  RADDLE_TAKE(learning.tolerated,
              search::parse_number("--tolerate", texts.tolerate, 0, 1'000'000'000));
  RADDLE_TAKE(learning.granularity, outcome::parse_granularity("--granularity", texts.granularity));
  RADDLE_TAKE(plan.seed, search::parse_number("--seed", texts.seed, 0, UINT64_MAX));
  RADDLE_TAKE(plan.depth, search::parse_number("--depth", texts.depth, 1, 1000));
  RADDLE_TAKE(plan.max_steps, search::parse_number("--max-steps", texts.max_steps, 1, 100'000'000));
  RADDLE_TAKE(plan.spurious, search::parse_number("--spurious", texts.spurious, 0, 1'000'000));
  RADDLE_TAKE(plan.timers, search::parse_timers(texts.timers));
  RADDLE_TAKE(request.surroundings.expect_exit,
              search::parse_number("--expect-exit", texts.expect_exit, 0, 255));
  RADDLE_TAKE(request.run_timeout, search::parse_duration("--run-timeout", texts.run_timeout));
  if (request.out.empty()) return Error{"--out: the name of the directory is empty", kExitUsage};
  return Done{};
}

#undef RADDLE_TAKE

}  // namespace

Result<std::optional<LearnOptions>> parse_learn_options(const Arguments& arguments) {
  Options options("raddle learn", "raddle learn [options] [--] PROG [ARGS...]", Words::end_options);
  Texts texts;
  LearnOptions result;
  declare(options, texts, result);
  auto proceed = options.parse(arguments);
  if (!proceed) return proceed.error();
  if (!*proceed) return std::optional<LearnOptions>();
  if (auto status = interpret(texts, result); !status) return status.error();
  result.test.program = options.words().empty() ? options.after_dashes() : options.words();
  if (result.test.program.empty())
    return Error{"which program? Usage: raddle learn [options] [--] PROG [ARGS...]", kExitUsage};
  return std::optional<LearnOptions>(std::move(result));
}

}  // namespace raddle::cli
