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

#include "check/in_process_executor.h"
#include "check/muted_output.h"
#include "check/replay.h"
#include "check/settings.h"
#include "check/test_reporter.h"
#include "check/training.h"
#include "raddle/abi.h"
#include "session/session.h"

namespace raddle::check {
namespace {

namespace fs = std::filesystem;

// The result with everything that it points to.
struct OwnedResult : raddle_check_result {
  std::vector<TestReporter::Told> told;
  std::vector<std::string> kinds;
  std::vector<raddle_check_finding> rows;
  std::string guarantee_text, stopped_text, error_text, notes_text;

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
    stopped = stopped_text.c_str();
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
std::string failure_of(const session::Request& request, const campaign::CampaignOutcome& outcome) {
  if (outcome.failure) return outcome.failure->message;
  const facts::CampaignResult& made = outcome.result;
  if (made.limited == 0 || made.failed()) return "";
  if (made.schedules == 0)
    return fmt::format("no run came to its end within {} steps (max_steps)",
                       request.plan.max_steps);
  if (request.campaign.schedule == campaign::ScheduleUse::expect_infeasible)
    return fmt::format(
        "{} runs were cut after {} steps (max_steps): whether they could have "
        "satisfied the schedule is not known",
        made.limited, request.plan.max_steps);
  return "";
}

void explore(const session::Request& request, InProcessExecutor& executor, TestReporter& reporter,
             OwnedResult& result) {
  session::Session session(request, reporter);
  if (Status opened = session.open(); !opened) {
    result.error_text = opened.error().message;
    return;
  }
  launch::Executor* running = &executor;
  campaign::CampaignOutcome outcome = session.explore({&running, 1});
  const facts::CampaignResult& made = outcome.result;
  result.schedules = made.schedules;
  result.steps = made.steps;
  result.limited = made.limited;
  result.infeasible = made.infeasible;
  result.blocked = made.blocked;
  result.search_runs = made.size.runs;
  result.peak_nodes = made.size.peak_nodes;
  result.peak_bytes = made.size.peak_tree_bytes;
  result.peak_set_bytes = made.size.peak_set_bytes;
  result.suppressed = made.suppressed;
  for (const auto& [where, count] : made.library_races)
    result.notes_text += fmt::format("{} race{} inside the C++ library left out: {}\n", count,
                                     count == 1 ? "" : "s", where);
  result.seconds = made.seconds;
  result.complete = made.complete ? 1 : 0;
  result.guarantee_text = made.guarantee;
  result.stopped_text = made.stopped;
  result.error_text = failure_of(request, outcome);
  executor.look_for_leftovers();
  reporter.note_leftovers(executor.leftovers(), executor.modules());
}

void learn_atomicity(const session::Request& request, InProcessExecutor& executor,
                     TestReporter& reporter, OwnedResult& result) {
  auto learned = learn(request, executor, reporter);
  if (!learned) {
    result.error_text = learned.error().message;
    return;
  }
  result.schedules = learned->runs();
  result.steps = learned->steps;
  result.seconds = learned->seconds;
}

void run_campaign(const raddle_check_request& asked, const Settings& settings,
                  OwnedResult& result) {
  const session::Request& request = settings.request;
  wire::Body body{call_body, const_cast<raddle_check_request*>(&asked)};
  auto executor =
      InProcessExecutor::create(body, session::executor_options(request), settings.restore);
  if (!executor) {
    result.error_text = executor.error().message;
    return;
  }
  TestReporter reporter({}, request.program().directory, request.out);
  reporter.ask_for_leftovers([&] {
    (*executor)->look_for_changes();
    return fmt::format("{}", fmt::join((*executor)->leftovers().globals(), "; "));
  });
  if (!settings.replay.empty()) {
    auto runs = replay(settings, **executor, reporter);
    if (!runs) result.error_text = runs.error().message;
    result.schedules = runs ? *runs : 0;
  } else if (settings.learn) {
    learn_atomicity(request, **executor, reporter, result);
  } else {
    explore(request, **executor, reporter, result);
  }
  if (std::string note = (*executor)->restore_note(); !note.empty()) reporter.on_note(note);
  result.notes_text += reporter.notes();
  for (const TestReporter::Told& each : reporter.told()) {
    if (request.campaign.failing.counts(each.finding.kind))
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
  settings->request.campaign.program = *program;
  settings->request.campaign.schedule = schedule_use(request);
  MutedOutput muted;
  run_campaign(request, *settings, *result);
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
