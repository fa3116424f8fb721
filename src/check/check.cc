// SPDX-License-Identifier: Apache-2.0
//
// raddle_check(): a campaign over the body of a unit test. Engine side, in the program's process.
//
// Everything here runs while the runtime is off, so nothing of it is seen by it: only the body and
// what it calls are under control.
#include <errno.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "campaign/campaign.h"
#include "check/in_process_executor.h"
#include "check/learned_atomicity.h"
#include "check/muted_output.h"
#include "check/replay.h"
#include "check/settings.h"
#include "check/test_reporter.h"
#include "outcome/focus.h"
#include "raddle/abi.h"

namespace raddle::check {
namespace {

namespace fs = std::filesystem;

// The result with everything that it points to.
struct OwnedResult : raddle_check_result {
  std::vector<TestReporter::Told> told;
  std::vector<std::string> kinds;
  std::vector<raddle_check_finding> rows;
  std::string guarantee_text, error_text, notes_text;

  OwnedResult() : raddle_check_result{} { version = RADDLE_CHECK_VERSION; }

  const raddle_check_result* finish() {
    for (const TestReporter::Told& each : told) kinds.emplace_back(each.finding.kind.name);
    for (std::size_t i = 0; i < told.size(); ++i) {
      const facts::Frame& site = told[i].finding.site;
      rows.push_back({kinds[i].c_str(), told[i].finding.message.c_str(),
                      told[i].schedule_file.c_str(), told[i].story.c_str(),
                      site.file.empty() ? nullptr : site.file.c_str(),
                      static_cast<std::uint32_t>(site.line)});
    }
    findings = rows.data();
    finding_count = static_cast<std::uint32_t>(rows.size());
    guarantee = guarantee_text.c_str();
    error = error_text.empty() ? nullptr : error_text.c_str();
    notes = notes_text.c_str();
    return this;
  }
};

// An exception that leaves the body ends the run, as one that leaves main would.
void call_body(void* argument) noexcept {
  const auto& request = *static_cast<const raddle_check_request*>(argument);
  // As a part of a whole program, nobody but the runtime knows what the test wants.
  unsigned flags = request.schedule_flags;
  flags |= request.expect_infeasible != 0 ? RADDLE_SCHEDULE_INFEASIBLE : RADDLE_SCHEDULE_FILTER;
  bool scheduled = request.schedule != nullptr && raddle_schedule_begin != nullptr;
  if (scheduled)
    raddle_schedule_begin(request.schedule_name == nullptr ? "" : request.schedule_name,
                          request.schedule, flags);
  request.body(request.closure);
  if (scheduled) raddle_schedule_end();
}

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

// This very program, as campaigns and schedule files know programs.
Result<launch::Program> this_program() {
  launch::Program program;
  program.argv = own_arguments();
  std::error_code failure;
  program.directory = fs::current_path(failure).string();
  program.path = launch::own_executable();
  if (program.argv.empty() || program.path.empty() || failure)
    return Error{"cannot read /proc/self, which raddle needs", kExitCannotRun};
  static const auto facts = launch::inspect_executable(program.path, program.argv[0]);
  if (!facts) return facts.error();
  program.elf = *facts;
  return program;
}

campaign::ScheduleUse schedule_use(const raddle_check_request& request) {
  bool passive = (request.schedule_flags & RADDLE_SCHEDULE_PASSIVE) != 0;
  if (request.schedule == nullptr || passive) return campaign::ScheduleUse::none;
  return request.expect_infeasible != 0 ? campaign::ScheduleUse::expect_infeasible
                                        : campaign::ScheduleUse::filter;
}

// What is wrong with the test's event schedule; empty if nothing is. Warnings go to `notes`.
std::string schedule_error(const raddle_check_request& request, std::string& notes) {
  if (request.schedule == nullptr && request.expect_infeasible != 0)
    return "expect_infeasible is about an event schedule, but the test has none";
  if (request.schedule == nullptr || raddle_schedule_error == nullptr) return "";
  char message[1024] = "";
  bool bad = raddle_schedule_error(request.schedule, message, sizeof message) != 0;
  const char* name = request.schedule_name == nullptr ? "" : request.schedule_name;
  std::string text = *message == '\0' ? "" : fmt::format("schedule `{}`: {}", name, message);
  if (bad) return text;
  if (!text.empty()) notes += text + "\n";
  return "";
}

// What keeps a test from having been tested; empty: nothing.
std::string failure_of(const raddle_check_request& request, const Settings& settings,
                       const campaign::CampaignOutcome& outcome) {
  if (outcome.failure) return outcome.failure->message;
  const facts::CampaignResult& made = outcome.result;
  bool failed = std::ranges::any_of(made.findings, [&](const facts::Finding& finding) {
    return settings.failing.counts(finding.kind);
  });
  if (made.limited == 0 || failed) return "";
  if (made.schedules == 0)
    return fmt::format("no run came to its end within {} steps (max_steps)",
                       settings.plan.max_steps);
  if (request.expect_infeasible != 0)
    return fmt::format(
        "{} runs were cut after {} steps (max_steps): whether they could have "
        "satisfied the schedule is not known",
        made.limited, settings.plan.max_steps);
  return "";
}

void explore(const raddle_check_request& request, const Settings& settings,
             const launch::Program& program, InProcessExecutor& executor, campaign::Trials& trials,
             TestReporter& reporter, OwnedResult& result) {
  campaign::CampaignOptions options;
  options.program = program;
  options.test = settings.name;
  options.schedules_max = settings.schedules_max;
  options.time_max = settings.time_max;
  options.keep_going = settings.keep_going;
  options.schedule = schedule_use(request);
  options.failing = settings.failing;
  options.all_stop = true;
  auto invariants = recall_invariants(settings, program, executor, reporter);
  if (!invariants) {
    result.error_text = invariants.error().message;
    return;
  }
  detect::Settings detectors{.lock_order = settings.lock_order, .locksets = settings.locksets};
  if (*invariants) (*invariants)->tell(detectors);
  trials.look_by(detectors);
  outcome::ProgramFocus focus(
      settings.focus, [&] { return executor.modules(); }, program.directory);
  search::PlanOptions plan = settings.plan;
  if (!settings.focus.empty()) plan.focus = &focus;
  auto search = settings.strategy->make(plan);
  campaign::CampaignOutcome outcome =
      campaign::Campaign(options, *search, trials, reporter, reporter).run();
  result.schedules = outcome.result.schedules;
  result.steps = outcome.result.steps;
  result.limited = outcome.result.limited;
  result.infeasible = outcome.result.infeasible;
  result.blocked = outcome.result.blocked;
  result.search_runs = outcome.result.size.runs;
  result.peak_nodes = outcome.result.size.peak_nodes;
  result.peak_bytes = outcome.result.size.peak_tree_bytes;
  result.peak_set_bytes = outcome.result.size.peak_set_bytes;
  result.seconds = outcome.result.seconds;
  result.complete = outcome.result.complete ? 1 : 0;
  result.guarantee_text = outcome.result.guarantee;
  result.error_text = failure_of(request, settings, outcome);
  for (const std::string& sentence : focus.unseen()) result.notes_text += sentence + "\n";
  executor.look_for_leftovers();
  reporter.note_leftovers(executor.leftovers(), executor.modules());
}

void learn_atomicity(const Settings& settings, const launch::Program& program,
                     campaign::Trials& trials, TestReporter& reporter, OwnedResult& result) {
  auto learned = learn(settings, program, trials, reporter);
  if (!learned) {
    result.error_text = learned.error().message;
    return;
  }
  result.schedules = learned->runs();
  result.steps = learned->steps;
  result.seconds = learned->seconds;
}

void run_campaign(const raddle_check_request& request, const Settings& settings,
                  const launch::Program& program, OwnedResult& result) {
  launch::ExecutorOptions executor_options;
  executor_options.max_steps = settings.plan.max_steps;
  executor_options.run_timeout = settings.run_timeout;
  wire::Body body{call_body, const_cast<raddle_check_request*>(&request)};
  auto executor = InProcessExecutor::create(body, executor_options);
  if (!executor) {
    result.error_text = executor.error().message;
    return;
  }
  campaign::Trials trials(**executor, program.directory, {}, nullptr);
  TestReporter reporter({}, program.directory, settings.out);
  reporter.ask_for_leftovers([&] {
    (*executor)->look_for_changes();
    return fmt::format("{}", fmt::join((*executor)->leftovers().globals(), "; "));
  });
  if (!settings.replay.empty()) {
    auto runs = replay(request, settings, **executor, trials, reporter);
    if (!runs) result.error_text = runs.error().message;
    result.schedules = runs ? *runs : 0;
  } else if (settings.learn) {
    learn_atomicity(settings, program, trials, reporter, result);
  } else {
    explore(request, settings, program, **executor, trials, reporter, result);
  }
  result.notes_text += reporter.notes();
  for (const TestReporter::Told& each : reporter.told()) {
    if (settings.failing.counts(each.finding.kind))
      result.told.push_back(each);
    else
      result.notes_text += fmt::format("{}: {} ({})\n", each.finding.kind.name,
                                       each.finding.message, each.schedule_file);
  }
}

bool is_whole_program() { return raddle_controlled != nullptr && raddle_controlled() != 0; }

const raddle_check_result* check(const raddle_check_request& request) {
  auto* result = new OwnedResult;
  if (is_whole_program()) {
    call_body(const_cast<raddle_check_request*>(&request));
    result->whole_program = 1;
    result->schedules = 1;
    return result->finish();
  }
  result->error_text = schedule_error(request, result->notes_text);
  if (!result->error_text.empty()) return result->finish();
  auto settings = read_settings(request);
  auto program = this_program();
  if (!settings || !program) {
    result->error_text = settings ? program.error().message : settings.error().message;
    return result->finish();
  }
  MutedOutput muted;
  run_campaign(request, *settings, *program, *result);
  return result->finish();
}

}  // namespace
}  // namespace raddle::check

extern "C" __attribute__((visibility("default"))) const raddle_check_result* raddle_check(
    const raddle_check_request* request) {
  return raddle::check::check(*request);
}

extern "C" __attribute__((visibility("default"))) void raddle_check_free(
    const raddle_check_result* result) {
  delete static_cast<const raddle::check::OwnedResult*>(result);
}
