// SPDX-License-Identifier: Apache-2.0
//
// raddle test [options] [--] PROG [ARGS...]
#include <fmt/core.h>
#include <stdio.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/reporter.h"
#include "cli/summary.h"
#include "cli/test_options.h"
#include "cli/text_file.h"
#include "report/finding_json.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;

// What would otherwise fail only after the campaign.
Status check_destinations(const TestOptions& options) {
  std::error_code ignored;
  if (fs::exists(options.out, ignored) && !fs::is_directory(options.out, ignored))
    return Error{fmt::format("--out: {} is not a directory", options.out), kExitUsage};
  if (options.json.empty() || options.json == "-") return Done{};
  fs::path json = options.json;
  if (fs::is_directory(json, ignored))
    return Error{fmt::format("--json: {} is a directory", options.json), kExitUsage};
  if (!json.parent_path().empty() && !fs::is_directory(json.parent_path(), ignored))
    return Error{fmt::format("--json: there is no directory {}", json.parent_path().string()),
                 kExitUsage};
  return Done{};
}

std::string out_option(const TestOptions& options) {
  return options.out == ".raddle" ? "" : " --out " + options.out;
}

Status write_results(const TestOptions& options, const search::CampaignOutcome& outcome) {
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

int finish(const TestOptions& options, const search::CampaignOutcome& outcome) {
  bool ran = outcome.result.schedules + outcome.result.limited > 0;
  // A program that never ran leaves no result, only a reason.
  if (outcome.failure && !ran) return fail(*outcome.failure);
  Status written = write_results(options, outcome);
  int code = outcome.result.findings.empty() ? 0 : 1;
  for (const std::optional<Error>& error :
       {outcome.failure, written ? std::optional<Error>() : std::optional(written.error())}) {
    if (!error) continue;
    int failed = fail(*error);
    if (code == 0) code = failed;
  }
  return code;
}

search::CampaignOptions campaign_options(const TestOptions& options, const launch::Program& program,
                                         const volatile std::sig_atomic_t* interrupts) {
  search::CampaignOptions campaign;
  campaign.program = program;
  campaign.schedules_max = options.budget.schedules_max;
  campaign.time_max = options.budget.time_max;
  campaign.keep_going = options.keep_going;
  campaign.interrupts = interrupts;
  return campaign;
}

int run_campaign(const TestOptions& options, const launch::Program& program) {
  const volatile std::sig_atomic_t* interrupts = watch_interrupts();
  auto dump = EventDump::open(options.dump_events);
  if (!dump) return fail(dump.error());
  launch::ExecutorOptions executor_options;
  executor_options.max_steps = options.plan.max_steps;
  executor_options.run_timeout = options.run_timeout;
  executor_options.output_on_disk = !options.surroundings.check.empty();
  executor_options.interrupts = interrupts;
  auto executor = launch::start_executor(program, executor_options);
  if (!executor) return fail(executor.error());

  auto view = make_progress(options.budget, options.quiet);
  Reporter reporter(*view, options.surroundings, program.directory, options.out, std::move(*dump),
                    options.quiet);
  if (!program.elf.instrumented)
    reporter.on_note(
        fmt::format("{} was not built with `raddle c++`: threads are switched at "
                    "synchronisation calls only",
                    program.argv[0]));
  auto search = options.strategy->make(options.plan);
  search::Trials trials(**executor, program.directory, options.surroundings, interrupts);
  search::CampaignOptions campaign = campaign_options(options, program, interrupts);
  search::CampaignOutcome outcome = search::Campaign(campaign, *search, trials, reporter).run();
  view->end();
  outcome.result.strategy = options.strategy->name;
  outcome.result.seed = options.plan.seed;
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
  return run_campaign(**options, *program);
}

}  // namespace raddle::cli
