// SPDX-License-Identifier: Apache-2.0
//
// From a request and the environment to settings. Engine side, in the program's process.
#include "check/settings.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <filesystem>

#include "outcome/learning.h"
#include "search/priority.h"
#include "search/values.h"
#include "session/coverage_options.h"

namespace raddle::check {
namespace {

constexpr std::uint64_t kSchedulesDefault = 100'000;
constexpr std::chrono::milliseconds kTimeDefault{1000};
constexpr std::uint64_t kSchedulesMax = 1'000'000'000'000;
constexpr std::uint32_t kMaxStepsDefault = 20'000;
constexpr std::uint32_t kMaxStepsMax = 10'000'000;

std::string variable(const char* name) {
  const char* text = getenv(name);
  return text == nullptr ? "" : text;
}

struct Chosen {
  std::string text;
  const char* by;  // whose word it is, for errors
};

// The environment's word, else the test's, else the default.
Chosen chosen(const char* name, const char* option, const char* wanted, const char* usual) {
  std::string text = variable(name);
  if (!text.empty()) return {text, name};
  return {wanted != nullptr && *wanted != '\0' ? wanted : usual, option};
}

#define RADDLE_TAKE(target, expression)              \
  do {                                               \
    auto parsed = (expression);                      \
    if (!parsed) return parsed.error();              \
    target = static_cast<decltype(target)>(*parsed); \
  } while (0)

Status read_budget(const raddle_check_request& asked, campaign::Budget& budget) {
  std::string schedules = variable("RADDLE_SCHEDULES"), time = variable("RADDLE_TIME");
  if (!schedules.empty() || !time.empty()) {
    if (!schedules.empty())
      RADDLE_TAKE(budget.schedules_max,
                  search::parse_number("RADDLE_SCHEDULES", schedules, 1, kSchedulesMax));
    if (!time.empty()) RADDLE_TAKE(budget.time_max, search::parse_duration("RADDLE_TIME", time));
    return Done{};
  }
  budget.schedules_max = asked.schedules;
  budget.time_max = std::chrono::milliseconds(asked.milliseconds);
  if (asked.schedules == 0 && asked.milliseconds == 0) {
    budget.schedules_max = kSchedulesDefault;
    budget.time_max = kTimeDefault;
  }
  return Done{};
}

Status read_strategy(const raddle_check_request& asked, session::Request& request) {
  Chosen name = chosen("RADDLE_STRATEGY", "strategy", asked.strategy, "auto");
  auto found = search::find_strategy(name.text);
  if (!found) return Error{fmt::format("{}: {}", name.by, found.error().message), kExitUsage};
  request.strategy = *found;
  return Done{};
}

// What the test says about a search counts for the strategy, and for the list of priorities, that
// it says it about: with another one by the environment's word, that may be of no use.
Status read_search(const raddle_check_request& asked, session::Request& request) {
  search::SearchTexts texts;
  auto take = [](search::OptionText& to, const char* name, const char* option, const char* wanted) {
    Chosen value = chosen(name, option, wanted, "");
    to = {value.text, value.by};
    if (value.text.empty()) to.by = fmt::format("{} or {}", option, name);
  };
  std::string own_strategy = asked.strategy == nullptr ? "" : asked.strategy;
  std::string own_bound = asked.has_bound != 0 ? std::to_string(asked.bound) : "";
  bool other = request.strategy->name != (own_strategy.empty() ? "auto" : own_strategy);
  // Whether a list of the environment's still has the function that the test's names are for.
  auto still = [&](const char* function, const char* names) -> const char* {
    std::string list = variable("RADDLE_PRIORITY");
    if (other || list.empty()) return other ? nullptr : names;
    auto parsed = search::Priority::parse(list);
    return parsed && parsed->uses(function) ? names : nullptr;
  };
  take(texts.bound, "RADDLE_BOUND", "bound", other ? nullptr : own_bound.c_str());
  take(texts.priority, "RADDLE_PRIORITY", "priority", other ? nullptr : asked.priority);
  take(texts.method, "RADDLE_METHOD", "method", still("method", asked.method));
  take(texts.var, "RADDLE_VAR", "var", still("var", asked.var));
  take(texts.memory, "RADDLE_MEMORY", "memory", nullptr);
  RADDLE_TAKE(request.focus, search::read_search_options(*request.strategy, texts, request.plan));
  return Done{};
}

Status read_points(const raddle_check_request& asked, session::Request& request) {
  search::PlanOptions& plan = request.plan;
  Chosen points = chosen("RADDLE_POINTS", "points", asked.points, "shared");
  RADDLE_TAKE(plan.points, search::parse_points(points.text, points.by));
  Chosen timers = chosen("RADDLE_TIMERS", "timers", asked.timers, "idle");
  RADDLE_TAKE(plan.timers, search::parse_timers(timers.text, timers.by));
  Chosen races = chosen("RADDLE_RACES", "races", asked.races, "fail");
  facts::Failing& failing = request.campaign.failing;
  RADDLE_TAKE(plan.races, search::parse_races(races.text, failing.races, races.by));
  Chosen library = chosen("RADDLE_LIBRARY_RACES", "", nullptr, "off");
  RADDLE_TAKE(request.campaign.library_races,
              search::parse_library_races(library.text, library.by));
  return Done{};
}

Status read_lock_order(session::Request& request) {
  std::string text = variable("RADDLE_LOCK_ORDER");
  if (!text.empty() && text != "try" && text != "off")
    return Error{fmt::format("RADDLE_LOCK_ORDER: `{}` is not one of try, off", text), kExitUsage};
  request.lock_order = text != "off";
  return Done{};
}

// `wanted`: what the test says.
Result<bool> read_flag(const char* name, bool wanted) {
  std::string text = variable(name);
  if (!text.empty() && text != "0" && text != "1")
    return Error{fmt::format("{}: `{}` is not one of 0, 1", name, text), kExitUsage};
  return text.empty() ? wanted : text == "1";
}

// What is looked for beside what a run ends in.
Status read_suspicions(const raddle_check_request& asked, session::Request& request) {
  RADDLE_TAKE(request.locksets, read_flag("RADDLE_LOCKSETS", asked.locksets != 0));
  if (request.locksets && !request.plan.races)
    return Error{fmt::format("{}: with races off accesses are not looked at",
                             variable("RADDLE_LOCKSETS").empty() ? "locksets" : "RADDLE_LOCKSETS"),
                 kExitUsage};
  // A thread that a test leaves behind would go on in the next run.
  Chosen fail_on = chosen("RADDLE_FAIL_ON", "fail_on", asked.fail_on, "leaked-thread");
  std::vector<facts::FindingKind>& warnings = request.campaign.failing.warnings;
  RADDLE_TAKE(warnings, search::parse_fail_on(fail_on.text, fail_on.by));
  Chosen atomicity = chosen("RADDLE_ATOMICITY", "atomicity", asked.atomicity, "warn");
  RADDLE_TAKE(request.atomicity, search::parse_atomicity(atomicity.text, warnings, atomicity.by));
  Chosen suppressions = chosen("RADDLE_SUPPRESSIONS", "suppressions", asked.suppressions, "");
  request.suppressions = {suppressions.text, suppressions.by};
  return Done{};
}

// What is remembered, and what of it ends a test early. A test that passes leaves nothing on the
// disk, unless it is asked to: there may be many of them, and several at a time.
Status read_memory(const raddle_check_request& asked, session::Request& request) {
  session::CoverageTexts texts;
  texts.points_by = "points";
  texts.races_by = "races";
  auto take = [](search::OptionText& to, const char* name, const char* option, const char* wanted) {
    Chosen value = chosen(name, option, wanted, "");
    to = {value.text, value.text.empty() ? option : value.by};
  };
  auto number = [](std::uint64_t value) { return value == 0 ? "" : std::to_string(value); };
  take(texts.coverage, "RADDLE_COVERAGE", "coverage", asked.coverage);
  take(texts.stop_when, "RADDLE_STOP_WHEN", "stop_when", asked.stop_when);
  take(texts.saturation_runs, "RADDLE_SATURATION_RUNS", "saturation_runs",
       number(asked.saturation_runs).c_str());
  take(texts.saturation_part, "RADDLE_SATURATION_PART", "saturation_part",
       number(asked.saturation_part).c_str());
  request.coverage = session::ObserveRuns::some;
  if (auto status = session::read_coverage_options(texts, request); !status) return status;
  bool covers = !texts.coverage.text.empty() && request.coverage != session::ObserveRuns::none;
  RADDLE_TAKE(request.memo, read_flag("RADDLE_MEMO", asked.memo != 0 || covers));
  bool resume = false;
  RADDLE_TAKE(resume, read_flag("RADDLE_RESUME", false));
  if (resume) request.resume = session::Resume::if_kept;
  return Done{};
}

// To learn, every access has to be recorded, whatever the test asks for otherwise. Interleavings
// that should not be there teach nothing.
Status read_learning(const raddle_check_request& asked, Settings& settings) {
  session::Request& request = settings.request;
  RADDLE_TAKE(settings.learn, read_flag("RADDLE_LEARN", false));
  settings.learn = settings.learn && asked.expect_infeasible == 0;
  if (!settings.learn) return Done{};
  request.plan.races = true;
  if (request.plan.points == wire::Points::sync) request.plan.points = wire::Points::shared;
  Status learns = outcome::check_learns(*request.strategy, "RADDLE_STRATEGY");
  if (learns || !variable("RADDLE_STRATEGY").empty()) return learns;
  RADDLE_TAKE(request.strategy, search::find_strategy("auto"));
  return Done{};
}

}  // namespace

Result<Settings> read_settings(const raddle_check_request& asked) {
  if (asked.version != RADDLE_CHECK_VERSION)
    return Error{"the test was compiled with another version of raddle/check.h than the library",
                 kExitUsage};
  Settings settings;
  session::Request& request = settings.request;
  request.campaign.all_stop = true;  // a test that has failed has failed
  request.campaign.test = asked.name == nullptr ? "" : asked.name;
  if (auto status = read_strategy(asked, request); !status) return status.error();
  if (auto status = read_search(asked, request); !status) return status.error();
  if (auto status = read_budget(asked, request.campaign.budget); !status) return status.error();
  search::PlanOptions& plan = request.plan;
  plan.seed = asked.seed == 0 ? 1 : asked.seed;
  if (std::string seed = variable("RADDLE_SEED"); !seed.empty())
    RADDLE_TAKE(plan.seed, search::parse_number("RADDLE_SEED", seed, 0, UINT64_MAX));
  if (asked.depth > 1000) return Error{"depth: 1 to 1000", kExitUsage};
  if (asked.depth != 0) plan.depth = asked.depth;
  plan.max_steps = asked.max_steps == 0 ? kMaxStepsDefault : asked.max_steps;
  if (plan.max_steps > kMaxStepsMax) return Error{"max_steps: at most ten million", kExitUsage};
  if (asked.spurious > 1'000'000) return Error{"spurious: at most a million", kExitUsage};
  plan.spurious = asked.spurious;
  if (auto status = read_points(asked, request); !status) return status.error();
  if (std::string timeout = variable("RADDLE_RUN_TIMEOUT"); !timeout.empty())
    RADDLE_TAKE(request.run_timeout, search::parse_duration("RADDLE_RUN_TIMEOUT", timeout));
  RADDLE_TAKE(request.campaign.keep_going, read_flag("RADDLE_KEEP_GOING", asked.keep_going != 0));
  if (auto status = read_suspicions(asked, request); !status) return status.error();
  if (auto status = read_learning(asked, settings); !status) return status.error();
  if (auto status = read_lock_order(request); !status) return status.error();
  if (auto status = read_memory(asked, request); !status) return status.error();
  request.out = chosen("RADDLE_OUT", "", nullptr, ".raddle").text;
  RADDLE_TAKE(settings.restore, read_flag("RADDLE_RESTORE", asked.no_restore == 0));
  settings.replay = variable("RADDLE_REPLAY");
  return settings;
}

#undef RADDLE_TAKE

}  // namespace raddle::check
