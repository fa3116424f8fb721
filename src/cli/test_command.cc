// SPDX-License-Identifier: Apache-2.0
//
// raddle test [options] [--] PROG [ARGS...]
#include <fmt/core.h>
#include <stdio.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/console_reporter.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/summary.h"
#include "cli/test_options.h"
#include "cli/text_file.h"
#include "launch/library_closure.h"
#include "launch/stack_limit.h"
#include "report/file_io.h"
#include "report/finding_json.h"
#include "session/session.h"

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
  if (auto status = check_out(options.request.out); !status) return status;
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
  return options.request.out == ".raddle" ? "" : " --out " + shell_word(options.request.out);
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
  int code = outcome.result.failed() ? 1 : 0;
  for (const std::optional<Error>& error :
       {outcome.failure, written ? std::optional<Error>() : std::optional(written.error())}) {
    if (!error) continue;
    int failed = fail(*error);
    if (code == 0) code = failed;
  }
  return code;
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

// As many as runs are to be made at a time.
Result<std::vector<std::unique_ptr<launch::Executor>>> start_executors(
    const session::Request& request) {
  std::vector<std::unique_ptr<launch::Executor>> executors;
  while (executors.size() < request.jobs) {
    auto executor = launch::start_executor(request.program(), session::executor_options(request));
    if (!executor) return executor.error();
    executors.push_back(std::move(*executor));
  }
  return executors;
}

int run_campaign(const TestOptions& options) {
  const session::Request& request = options.request;
  auto dump = EventDump::open(options.dump_events);
  if (!dump) return fail(dump.error());
  auto view = make_progress(request.campaign.budget, options.quiet);
  ConsoleReporter reporter(*view, request.surroundings, request.program().directory, request.out,
                           std::move(*dump), options.quiet);
  session::Session session(request, reporter);
  if (Status opened = session.open(); !opened) return fail(opened.error());
  auto executors = start_executors(request);
  if (!executors) return fail(executors.error());
  note_what_is_invisible(request.program(), reporter);
  if (std::string note = launch::stack_limit_note(); !note.empty()) reporter.on_note(note);
  std::vector<launch::Executor*> running;
  for (const auto& executor : *executors) running.push_back(executor.get());
  campaign::CampaignOutcome outcome = session.explore(running);
  view->end();
  return finish(options, outcome);
}

}  // namespace

int cmd_test(const Arguments& arguments) {
  auto options = parse_test_options(arguments);
  if (!options) return fail(options.error());
  if (!*options) return 0;
  if (auto status = check_destinations(**options); !status) return fail(status.error());
  if (auto status = load_program(**options); !status) return fail(status.error());
  (*options)->request.campaign.interrupts = watch_interrupts();
  return run_campaign(**options);
}

}  // namespace raddle::cli
