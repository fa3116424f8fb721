// SPDX-License-Identifier: Apache-2.0
//
// raddle test [options] [--] PROG [ARGS...]
#include <fmt/core.h>
#include <stdio.h>

#include <algorithm>
#include <filesystem>

#include "cli/campaign_memo.h"
#include "cli/command.h"
#include "cli/console_reporter.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/kept_search.h"
#include "cli/summary.h"
#include "cli/test_options.h"
#include "cli/text_file.h"
#include "launch/library_closure.h"
#include "outcome/focus.h"
#include "outcome/known_invariants.h"
#include "report/file_io.h"
#include "report/finding_json.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;

Error bad_destination(const char* option, const std::string& path, const std::string& reason) {
  return {fmt::format("{} {}: {}", option, path, reason), kExitUsage};
}

Status check_out(const std::string& out) {
  std::error_code ignored;
  fs::path existing = fs::absolute(out, ignored);
  while (!fs::exists(existing, ignored) && existing.has_relative_path())
    existing = existing.parent_path();
  if (!fs::is_directory(existing, ignored))
    return bad_destination("--out", out, existing.string() + " is not a directory");
  if (auto status = check_can_create_in(existing.string()); !status)
    return bad_destination("--out", out, status.error().message);
  return Done{};
}

Status check_json(const std::string& json) {
  if (json.empty() || json == "-") return Done{};
  std::error_code ignored;
  if (fs::is_directory(json, ignored))
    return bad_destination("--json", json, "it is a directory, not a file");
  // Devices and pipes are written in place, files are created beside their place.
  if (fs::exists(json, ignored) && !fs::is_regular_file(json, ignored)) return Done{};
  fs::path folder = fs::path(json).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, ignored))
    return bad_destination("--json", json, "there is no directory " + folder.string());
  if (auto status = check_can_create_in(folder.string()); !status)
    return bad_destination("--json", json, status.error().message);
  return Done{};
}

// What would otherwise fail only after the campaign.
Status check_destinations(const TestOptions& options) {
  if (auto status = check_out(options.out); !status) return status;
  return check_json(options.json);
}

// The word as a shell reads it back, for commands that are printed to be copied.
std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:+@%=-";
  if (word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string out_option(const TestOptions& options) {
  return options.out == ".raddle" ? "" : " --out " + shell_word(options.out);
}

Status write_results(const TestOptions& options, const campaign::CampaignOutcome& outcome) {
  const facts::CampaignResult& result = outcome.result;
  std::string text;
  if (options.quiet)
    for (const facts::Finding& finding : result.findings) text += finding_line(finding);
  else
    text = summary_text(result, out_option(options), outcome.interrupted);
  fmt::print(options.json == "-" ? stderr : stdout, "{}", text);
  if (options.json.empty()) return Done{};
  std::string json = report::campaign_json(result);
  if (options.json != "-") return write_text(options.json, json);
  fmt::print("{}", json);
  if (fflush(stdout) != 0) return Error{"cannot write the JSON to standard output", kExitUsage};
  return Done{};
}

int finish(const TestOptions& options, const campaign::CampaignOutcome& outcome) {
  bool ran = outcome.result.schedules + outcome.result.limited > 0;
  // A program that never ran leaves no result, only a reason.
  if (outcome.failure && !ran) return fail(*outcome.failure);
  Status written = write_results(options, outcome);
  bool counts = std::ranges::any_of(outcome.result.findings, [&](const facts::Finding& finding) {
    return options.failing.counts(finding.kind);
  });
  int code = counts ? 1 : 0;
  for (const std::optional<Error>& error :
       {outcome.failure, written ? std::optional<Error>() : std::optional(written.error())}) {
    if (!error) continue;
    int failed = fail(*error);
    if (code == 0) code = failed;
  }
  return code;
}

campaign::CampaignOptions campaign_options(const TestOptions& options,
                                           const launch::Program& program,
                                           const volatile std::sig_atomic_t* interrupts) {
  campaign::CampaignOptions campaign;
  campaign.program = program;
  campaign.schedules_max = options.budget.schedules_max;
  campaign.time_max = options.budget.time_max;
  campaign.keep_going = options.keep_going;
  campaign.failing = options.failing;
  campaign.interrupts = interrupts;
  return campaign;
}

search::PlanOptions plan_options(const TestOptions& options) {
  search::PlanOptions plan = options.plan;
  // Beside the findings: where temporary files lie by default may be memory.
  if (plan.memory_bytes != 0 && report::make_folders(options.out))
    plan.spill_directory = options.out;
  return plan;
}

// Code that was not compiled for raddle is scheduled at its synchronisation calls only.
void note_what_is_invisible(const launch::Program& program, ConsoleReporter& reporter) {
  const std::string& name = program.argv[0];
  if (!program.elf.instrumented)
    reporter.on_note(
        fmt::format("{} was not built with `raddle c++`: threads are switched at "
                    "synchronisation calls only",
                    name));
  else if (!program.elf.reports_accesses)
    reporter.on_note(
        fmt::format("{} was linked with `raddle c++`, but no code of it was compiled so: threads "
                    "are switched at synchronisation calls only",
                    name));
  auto libraries = launch::library_closure(program);
  if (!libraries) return;  // the program's start will say it better
  for (const launch::Library& library : launch::invisible_libraries(*libraries))
    reporter.on_note(
        fmt::format("{} was not built with `raddle c++`: its accesses are invisible, and threads "
                    "are switched in it at synchronisation calls only",
                    library.path));
}

Result<report::Suppressions> load_suppressions(const std::string& file) {
  if (file.empty()) return report::Suppressions();
  auto text = report::read_file(file);
  if (!text) return Error{"--suppressions: " + text.error().message, kExitUsage};
  return report::Suppressions::parse(*text, file);
}

// As many as runs are to be made at a time.
Result<std::vector<std::unique_ptr<launch::Executor>>> start_executors(
    const TestOptions& options, const launch::Program& program,
    const launch::ExecutorOptions& executor_options, const search::Search& search) {
  if (options.jobs > 1 && search::ask<search::Concurrent>(search) == nullptr)
    return Error{fmt::format("--jobs: the strategy {} makes one run after the other",
                             options.strategy->name),
                 kExitUsage};
  std::vector<std::unique_ptr<launch::Executor>> executors;
  while (executors.size() < options.jobs) {
    auto executor = launch::start_executor(program, executor_options);
    if (!executor) return executor.error();
    executors.push_back(std::move(*executor));
  }
  return executors;
}

// So often the state of a search is kept while the campaign lasts: what a killed one loses.
constexpr std::chrono::seconds kKeepEvery{60};

// At the end of a campaign: what is not finished is kept, what is finished is removed.
void keep_search(KeptSearch& kept, search::Search& search, campaign::CampaignOutcome& outcome) {
  auto* resumable = search::ask<search::Resumable>(search);
  if (resumable == nullptr) return;
  if (resumable->finished()) kept.remove();
  if (!resumable->resumable()) return;
  if (Status saved = kept.save(*resumable); saved)
    outcome.result.state_file = kept.path();
  else if (!outcome.failure)
    outcome.failure = saved.error();
}

launch::ExecutorOptions executor_options(const TestOptions& options,
                                         const volatile std::sig_atomic_t* interrupts) {
  launch::ExecutorOptions executor;
  executor.max_steps = options.plan.max_steps;
  executor.run_timeout = options.run_timeout;
  executor.output_on_disk = !options.surroundings.check.empty();
  // What --before has made ready is for a program that starts after it.
  if (!options.surroundings.before.empty()) executor.checkpoints = launch::CheckpointUse::off;
  executor.interrupts = interrupts;
  return executor;
}

// A search that goes on knows its sites.
Status begin_memo(CampaignMemo& memo, bool resumed, search::Search& search,
                  report::Symbolizer& symbolizer, const launch::Executor& executor) {
  if (!resumed)
    if (Status recalled = memo.recall(search, executor.modules()); !recalled) return recalled;
  return memo.begin(search, symbolizer, [&executor] { return executor.modules(); });
}

// What was learned of the program is looked for in its runs. The result has to stay as long.
Result<std::unique_ptr<outcome::KnownInvariants>> watch_atomicity(const TestOptions& options,
                                                                  CampaignMemo& memo,
                                                                  ConsoleReporter& reporter,
                                                                  const launch::Executor& executor,
                                                                  detect::Settings& settings) {
  std::unique_ptr<outcome::KnownInvariants> known;
  if (!options.atomicity) return known;
  auto learned = memo.invariants();
  if (!learned) return learned.error();
  known = std::make_unique<outcome::KnownInvariants>(
      *learned, [&executor] { return executor.modules(); }, reporter.symbolizer());
  known->tell(settings);
  return known;
}

// What was learned of code that is no longer the same is of no use, and nobody would notice. Runs
// that do not show all accesses say nothing about it.
void note_unmet(const outcome::KnownInvariants* known, const search::Strategy& strategy,
                const facts::CampaignResult& result, ConsoleReporter& reporter) {
  if (known == nullptr || known->empty() || known->met() > 0 || result.schedules == 0) return;
  if (strategy.sparse) return;
  reporter.on_note(
      fmt::format("no access of these runs is at one of the {} places that `raddle learn` has "
                  "learned of: if the code has changed since, learn again",
                  known->size()));
}

int run_campaign(const TestOptions& options, const launch::Program& program,
                 report::Suppressions suppressions) {
  const volatile std::sig_atomic_t* interrupts = watch_interrupts();
  const launch::Executor* running = nullptr;
  outcome::ProgramFocus focus(
      options.focus, [&] { return running->modules(); }, program.directory);
  search::PlanOptions plan = plan_options(options);
  if (!options.focus.empty()) plan.focus = &focus;
  auto search = options.strategy->make(plan);
  KeptSearch kept(options, program);
  if (options.resume)
    if (Status loaded = kept.load(*search); !loaded) return fail(loaded.error());
  auto dump = EventDump::open(options.dump_events);
  if (!dump) return fail(dump.error());
  auto executors =
      start_executors(options, program, executor_options(options, interrupts), *search);
  if (!executors) return fail(executors.error());
  running = executors->front().get();
  CampaignMemo memo(options, kept.facts());
  if (Status opened = memo.open(); !opened) return fail(opened.error());

  auto view = make_progress(options.budget, options.quiet);
  // Without anybody who asks for it, nobody has to look.
  std::optional<CampaignCoverage> coverage;
  if (options.coverage != ObserveRuns::none && (options.memo || options.stop_when_saturated))
    coverage.emplace(options.coverage);
  if (coverage) memo.keep(*coverage);
  ConsoleReporter reporter(*view, memo, coverage ? &*coverage : nullptr, options.surroundings,
                           program.directory, options.out, std::move(*dump), options.quiet);
  reporter.suppress(std::move(suppressions));
  note_what_is_invisible(program, reporter);
  std::vector<std::unique_ptr<campaign::Trials>> trials;
  std::vector<campaign::Trials*> others;
  for (const auto& executor : *executors) {
    trials.push_back(std::make_unique<campaign::Trials>(*executor, program.directory,
                                                        options.surroundings, interrupts));
    if (trials.size() > 1) others.push_back(trials.back().get());
  }
  if (Status begun = begin_memo(memo, options.resume, *search, reporter.symbolizer(), *running);
      !begun)
    return fail(begun.error());
  detect::Settings detectors{.locksets = options.locksets};
  auto invariants = watch_atomicity(options, memo, reporter, *running, detectors);
  if (!invariants) return fail(invariants.error());
  for (const auto& each : trials) each->look_by(detectors);
  campaign::CampaignOptions campaign = campaign_options(options, program, interrupts);
  if (options.stop_when_saturated)
    campaign.enough = [&] { return coverage->saturation(options.saturation); };
  campaign.keep_state_every = kKeepEvery;
  if (auto* resumable = search::ask<search::Resumable>(*search))
    campaign.keep_state = [&kept, resumable] {
      return resumable->resumable() ? kept.save(*resumable) : Status(Done{});
    };
  campaign::CampaignOutcome outcome =
      campaign::Campaign(campaign, *search, *trials[0], reporter, reporter, others).run();
  for (const std::string& sentence : focus.unseen()) reporter.on_note(sentence);
  note_unmet(invariants->get(), *options.strategy, outcome.result, reporter);
  keep_search(kept, *search, outcome);
  reporter.note_not_remembered(memo.end(outcome.result));
  view->end();
  outcome.result.strategy = options.strategy->name;
  outcome.result.seed = options.plan.seed;
  outcome.result.resumed = options.resume;
  outcome.result.failing = options.failing;
  return finish(options, outcome);
}

}  // namespace

int cmd_test(const Arguments& arguments) {
  auto options = parse_test_options(arguments);
  if (!options) return fail(options.error());
  if (!*options) return 0;
  if (auto status = check_destinations(**options); !status) return fail(status.error());
  std::error_code failure;
  std::string directory = fs::current_path(failure).string();
  if (failure) return fail({"the current directory does not exist any more", kExitUsage});
  auto program = launch::load_program((*options)->program, directory, (*options)->stdin_file);
  if (!program) return fail(program.error());
  auto suppressions = load_suppressions((*options)->suppressions);
  if (!suppressions) return fail(suppressions.error());
  return run_campaign(**options, *program, std::move(*suppressions));
}

}  // namespace raddle::cli
