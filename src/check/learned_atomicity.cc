// SPDX-License-Identifier: Apache-2.0
//
// See learned_atomicity.h. Engine side, in the program's process.
//
// The memo is open while it is read or written only: what a test does to descriptors does not
// matter to it.
#include "check/learned_atomicity.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <array>

#include "memo/memo.h"
#include "outcome/program_facts.h"

namespace raddle::check {
namespace {

// Changes with a file, and with the log that SQLite keeps beside it.
using Stamp = std::array<std::int64_t, 6>;

Stamp stamp_of(const std::string& path) {
  Stamp stamp{};
  std::size_t used = 0;
  for (const std::string& file : {path, path + "-wal"}) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0) info = {};
    stamp[used++] = info.st_size;
    stamp[used++] = info.st_mtim.tv_sec;
    stamp[used++] = info.st_mtim.tv_nsec;
  }
  return stamp;
}

Result<memo::Invariants> read_invariants(const std::string& path, const std::string& program) {
  memo::MemoOptions options;
  bool disk_trouble = false;
  options.create = false;
  options.disk_trouble = &disk_trouble;
  auto memo = memo::open_memo(path, options);
  // A full disk is no reason not to test.
  if (!memo && disk_trouble) return memo::Invariants();
  if (!memo) return memo.error();
  return (*memo)->invariants(program);
}

// As of the memo's last change: a program has many tests, and to open it takes a while.
Result<memo::Invariants> known_invariants(const std::string& path, const std::string& program) {
  static std::string known_path;
  static Stamp known_stamp;
  static memo::Invariants known;
  Stamp stamp = stamp_of(path);
  if (stamp == Stamp{}) return memo::Invariants();  // there is none
  if (path == known_path && stamp == known_stamp) return known;
  auto read = read_invariants(path, program);
  if (!read) return read;
  known_path = path;
  known_stamp = stamp;
  known = *read;
  return read;
}

void note_learned(const outcome::Learned& learned, const outcome::LearningOptions& options,
                  const std::string& path, TestReporter& reporter) {
  auto plural = [](std::uint64_t count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  std::string text = fmt::format("learned {} of atomicity from {}",
                                 plural(learned.training.invariants(), "invariant"),
                                 plural(learned.training.runs(), "run"));
  if (learned.failed > 0)
    text +=
        fmt::format("; {} failed and {} left out (the first: {})", plural(learned.failed, "run"),
                    learned.failed == 1 ? "was" : "were", learned.first_failure);
  if (!learned.stable)
    text += fmt::format(
        "; not stable: only the last {} of {} changed nothing, more runs "
        "(RADDLE_TIME, RADDLE_SCHEDULES) will tell more",
        learned.training.unchanged(), options.stable);
  reporter.on_note(fmt::format("{}; kept in {}", text, path));
}

}  // namespace

Result<std::unique_ptr<outcome::KnownInvariants>> recall_invariants(const Settings& settings,
                                                                    const launch::Program& program,
                                                                    InProcessExecutor& executor,
                                                                    TestReporter& reporter) {
  std::unique_ptr<outcome::KnownInvariants> known;
  const search::PlanOptions& plan = settings.plan;
  // Without accesses there is nothing to judge.
  if (!settings.atomicity || !plan.races || plan.points == wire::Points::sync) return known;
  auto learned = known_invariants(memo::memo_path(settings.out), program.path);
  if (!learned)
    return Error{learned.error().message + "; with RADDLE_ATOMICITY=off tests do without it",
                 learned.error().exit_code};
  known = std::make_unique<outcome::KnownInvariants>(
      *learned, [&executor] { return executor.modules(); }, reporter.symbolizer());
  if (known->empty()) known.reset();
  return known;
}

Result<outcome::Learned> learn(const Settings& settings, const launch::Program& program,
                               campaign::Trials& trials, TestReporter& reporter) {
  outcome::LearningOptions options;
  options.schedules_max = settings.schedules_max;
  options.time_max = settings.time_max;
  static const outcome::Facts facts = outcome::program_facts(program);
  memo::TrainingRecord training;
  training.program = outcome::memo_program(facts);
  training.arguments = *outcome::find_fact(facts, outcome::kFactArguments);
  training.granularity = outcome::granularity_name(options.granularity);
  outcome::LearnedMemo memo(memo::memo_path(settings.out), training);
  if (Status usable = memo.look(); !usable) return usable.error();
  auto search = settings.strategy->make_learning(settings.plan);
  auto learned = outcome::learn(options, program, *search, trials, memo);
  if (!learned) return learned;
  if (learned->training.runs() == 0)
    return Error{fmt::format("all {} runs failed (the first: {}): nothing can be learned from "
                             "them; without RADDLE_LEARN the test says more",
                             learned->failed, learned->first_failure),
                 kExitUsage};
  note_learned(*learned, options, memo.path(), reporter);
  return learned;
}

}  // namespace raddle::check
