// SPDX-License-Identifier: Apache-2.0
//
// raddle learn [options] [--] PROG [ARGS...]
//
// Makes runs as `raddle test` does, and keeps of those that end well what they teach about
// atomicity (analysis/invariants.h).
#include <fmt/core.h>
#include <stdio.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/invariants.h"
#include "cli/avio_comparison.h"
#include "cli/campaign_memo.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/known_invariants.h"
#include "cli/learn_options.h"
#include "cli/learned_memo.h"
#include "cli/text_file.h"
#include "search/portfolio.h"
#include "search/trial.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Learned {
  analysis::Training training;
  std::optional<AvioComparison> hardware;
  std::uint64_t failed = 0;   // runs that did not end well
  std::string first_failure;  // what the first of them was
  bool stable = false;
  bool interrupted = false;
  double seconds = 0;

  std::uint64_t runs() const { return training.runs() + failed; }
  std::size_t violated() const { return training.counts().size() - training.invariants(); }
};

// `auto` without the systematic search that it has beside, which does not record all accesses.
std::unique_ptr<search::Search> make_search(const TestOptions& options) {
  if (options.strategy->name == "auto") return std::make_unique<search::Portfolio>(options.plan);
  return options.strategy->make(options.plan);
}

launch::ExecutorOptions executor_options(const TestOptions& options,
                                         const volatile std::sig_atomic_t* interrupts) {
  launch::ExecutorOptions executor;
  executor.max_steps = options.plan.max_steps;
  executor.run_timeout = options.run_timeout;
  executor.output_on_disk = !options.surroundings.check.empty();
  if (!options.surroundings.before.empty()) executor.checkpoints = launch::CheckpointUse::off;
  executor.interrupts = interrupts;
  return executor;
}

// Shows the training one run. An error means that the program cannot be run under control.
Status learn_from(const search::Trial& trial, const launch::Program& program, analysis::Avio& avio,
                  Learned& learned) {
  switch (trial.judgement.outcome) {
    case search::Outcome::ok:
      break;
    case search::Outcome::unsupported:
      return Error{fmt::format("{} cannot be run under control: {}", program.argv[0],
                               trial.run.verdict.message),
                   kExitCannotRun};
    case search::Outcome::finding:
    case search::Outcome::limited:
    case search::Outcome::blocked:
    case search::Outcome::diverged: {
      bool found = trial.judgement.outcome == search::Outcome::finding;
      if (learned.failed++ == 0)
        learned.first_failure = found ? facts::finding_name(trial.judgement.kind) : "cut short";
      return Done{};
    }
  }
  avio.begin();
  for (const wire::Event& event : trial.run.events) avio.on_event(event);
  learned.training.add(avio.candidates(), avio.interleavings());
  if (learned.hardware) learned.hardware->add(trial.run);
  return Done{};
}

Status run_training(const LearnOptions& options, const launch::Program& program,
                    search::Trials& trials, LearnedMemo& memo, Learned& learned) {
  std::unique_ptr<search::Search> search = make_search(options.test);
  analysis::Avio avio(options.granularity);
  const Budget& budget = options.test.budget;
  Clock::time_point begin = Clock::now();
  const volatile std::sig_atomic_t* interrupts = watch_interrupts();
  auto over = [&] {
    learned.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    learned.interrupted = *interrupts > 0;
    learned.stable = learned.training.unchanged() >= options.stable;
    bool late = budget.time_max.count() != 0 && Clock::now() - begin >= budget.time_max;
    bool enough = budget.schedules_max != 0 && learned.runs() >= budget.schedules_max;
    return learned.interrupted || learned.stable || late || enough;
  };
  while (!over()) {
    auto plan = search->next();
    if (!plan) break;
    auto trial = trials.run(*plan);
    if (!trial && trial.error().exit_code == launch::kExitInterrupted) {
      learned.interrupted = true;
      break;
    }
    if (!trial) return trial.error();
    if (Status status = learn_from(*trial, program, avio, learned); !status) return status;
    search->observe(trial->run);
    Status written = memo.on_run(learned.training, learned.failed, trials.executor().modules());
    if (!written) return written;
  }
  return learned.runs() == 0
             ? Status(Done{})
             : memo.end(learned.training, learned.failed, trials.executor().modules());
}

std::string plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", group_digits(count), noun, count == 1 ? "" : "s");
}

std::string summary(const LearnOptions& options, const Learned& learned, const LearnedMemo& memo) {
  const analysis::Training& training = learned.training;
  std::string text;
  if (learned.interrupted) text += "interrupted; ";
  text += fmt::format("{} from {}, {} (strategy {}, seed {}, granularity {})\n",
                      plural(training.invariants(), "invariant"), plural(training.runs(), "run"),
                      seconds_text(learned.seconds), options.test.strategy->name,
                      options.test.plan.seed, granularity_name(options.granularity));
  if (learned.violated() > 0)
    text += fmt::format(
        "{} of code {} violated by good runs, and {} none\n", plural(learned.violated(), "place"),
        learned.violated() == 1 ? "was" : "were", learned.violated() == 1 ? "is" : "are");
  if (learned.failed > 0)
    text +=
        fmt::format("{} failed and {} left out (the first: {})\n", plural(learned.failed, "run"),
                    learned.failed == 1 ? "was" : "were", learned.first_failure);
  if (learned.stable)
    text += fmt::format("the last {} changed nothing\n", plural(training.unchanged(), "run"));
  else
    text += fmt::format(
        "not stable: only the last {} changed nothing, --stable asks for {}; more runs (--time, "
        "--schedules) will tell more\n",
        plural(training.unchanged(), "run"), group_digits(options.stable));
  text += fmt::format("kept in {}\n", memo.path());
  return learned.hardware ? text + "\n" + learned.hardware->table() : text;
}

std::string json_text(const LearnOptions& options, const Learned& learned) {
  nlohmann::ordered_json json = {
      {"program", options.test.program}, {"strategy", options.test.strategy->name},
      {"seed", options.test.plan.seed},  {"granularity", granularity_name(options.granularity)},
      {"tolerated", options.tolerated},  {"runs", learned.training.runs()},
      {"failed", learned.failed},        {"invariants", learned.training.invariants()},
      {"violated", learned.violated()},  {"unchanged", learned.training.unchanged()},
      {"stable", learned.stable},        {"seconds", learned.seconds}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int learn(const LearnOptions& options, const launch::Program& program) {
  const KeptSearch::Facts facts = KeptSearch(options.test, program).facts();
  std::string arguments;
  for (const auto& [name, value] : facts)
    if (name == kFactArguments) arguments = value;
  LearnedMemo memo(options, memo_program(facts), arguments);
  if (Status opened = memo.open(); !opened) return fail(opened.error());
  const volatile std::sig_atomic_t* interrupts = watch_interrupts();
  auto executor = launch::start_executor(program, executor_options(options.test, interrupts));
  if (!executor) return fail(executor.error());
  search::Trials trials(**executor, program.directory, options.test.surroundings, interrupts);
  Learned learned;
  learned.training = analysis::Training(options.tolerated);
  if (options.hardware) learned.hardware.emplace();
  if (Status done = run_training(options, program, trials, memo, learned); !done)
    return fail(done.error());
  if (learned.training.runs() == 0 && !learned.interrupted) {
    fail(
        {fmt::format("all {} failed (the first: {}): nothing can be learned from them; `raddle "
                     "test` says more",
                     plural(learned.failed, "run"), learned.first_failure)});
    return 1;
  }
  if (!options.test.quiet)
    fmt::print(options.test.json == "-" ? stderr : stdout, "{}", summary(options, learned, memo));
  if (options.test.json.empty()) return 0;
  std::string json = json_text(options, learned);
  if (options.test.json != "-") {
    Status written = write_text(options.test.json, json);
    return written ? 0 : fail(written.error());
  }
  fmt::print("{}", json);
  if (fflush(stdout) != 0) return fail({"cannot write to standard output", kExitUsage});
  return 0;
}

}  // namespace

int cmd_learn(const Arguments& arguments) {
  auto options = parse_learn_options(arguments);
  if (!options) return fail(options.error());
  if (!*options) return 0;
  std::error_code failure;
  std::string directory = fs::current_path(failure).string();
  if (failure) return fail({"the current directory does not exist any more", kExitUsage});
  const TestOptions& test = (*options)->test;
  auto program = launch::load_program(test.program, directory, test.stdin_file);
  if (!program) return fail(program.error());
  return learn(**options, *program);
}

}  // namespace raddle::cli
