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

Status read_budget(const raddle_check_request& request, Settings& settings) {
  std::string schedules = variable("RADDLE_SCHEDULES"), time = variable("RADDLE_TIME");
  if (!schedules.empty() || !time.empty()) {
    if (!schedules.empty())
      RADDLE_TAKE(settings.schedules_max,
                  search::parse_number("RADDLE_SCHEDULES", schedules, 1, kSchedulesMax));
    if (!time.empty()) RADDLE_TAKE(settings.time_max, search::parse_duration("RADDLE_TIME", time));
    return Done{};
  }
  settings.schedules_max = request.schedules;
  settings.time_max = std::chrono::milliseconds(request.milliseconds);
  if (request.schedules == 0 && request.milliseconds == 0) {
    settings.schedules_max = kSchedulesDefault;
    settings.time_max = kTimeDefault;
  }
  return Done{};
}

Status read_strategy(const raddle_check_request& request, Settings& settings) {
  Chosen name = chosen("RADDLE_STRATEGY", "strategy", request.strategy, "auto");
  auto found = search::find_strategy(name.text);
  if (!found) return Error{fmt::format("{}: {}", name.by, found.error().message), kExitUsage};
  settings.strategy = *found;
  return Done{};
}

// What the test says about a search counts for the strategy, and for the list of priorities, that
// it says it about: with another one by the environment's word, that may be of no use.
Status read_search(const raddle_check_request& request, Settings& settings) {
  search::SearchTexts texts;
  auto take = [](search::OptionText& to, const char* name, const char* option, const char* wanted) {
    Chosen value = chosen(name, option, wanted, "");
    to = {value.text, value.by};
    if (value.text.empty()) to.by = fmt::format("{} or {}", option, name);
  };
  std::string own_strategy = request.strategy == nullptr ? "" : request.strategy;
  std::string own_bound = request.has_bound != 0 ? std::to_string(request.bound) : "";
  bool other = settings.strategy->name != (own_strategy.empty() ? "auto" : own_strategy);
  // Whether a list of the environment's still has the function that the test's names are for.
  auto still = [&](const char* function, const char* names) -> const char* {
    std::string list = variable("RADDLE_PRIORITY");
    if (other || list.empty()) return other ? nullptr : names;
    auto parsed = search::Priority::parse(list);
    return parsed && parsed->uses(function) ? names : nullptr;
  };
  take(texts.bound, "RADDLE_BOUND", "bound", other ? nullptr : own_bound.c_str());
  take(texts.priority, "RADDLE_PRIORITY", "priority", other ? nullptr : request.priority);
  take(texts.method, "RADDLE_METHOD", "method", still("method", request.method));
  take(texts.var, "RADDLE_VAR", "var", still("var", request.var));
  take(texts.memory, "RADDLE_MEMORY", "memory", nullptr);
  RADDLE_TAKE(settings.focus,
              search::read_search_options(*settings.strategy, texts, settings.plan));
  return Done{};
}

Status read_points(const raddle_check_request& request, Settings& settings) {
  search::PlanOptions& plan = settings.plan;
  Chosen points = chosen("RADDLE_POINTS", "points", request.points, "shared");
  RADDLE_TAKE(plan.points, search::parse_points(points.text, points.by));
  Chosen timers = chosen("RADDLE_TIMERS", "timers", request.timers, "idle");
  RADDLE_TAKE(plan.timers, search::parse_timers(timers.text, timers.by));
  Chosen races = chosen("RADDLE_RACES", "races", request.races, "fail");
  RADDLE_TAKE(plan.races, search::parse_races(races.text, settings.failing.races, races.by));
  return Done{};
}

Status read_lock_order(Settings& settings) {
  std::string text = variable("RADDLE_LOCK_ORDER");
  if (!text.empty() && text != "try" && text != "off")
    return Error{fmt::format("RADDLE_LOCK_ORDER: `{}` is not one of try, off", text), kExitUsage};
  settings.lock_order = text != "off";
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
Status read_suspicions(const raddle_check_request& request, Settings& settings) {
  RADDLE_TAKE(settings.locksets, read_flag("RADDLE_LOCKSETS", request.locksets != 0));
  if (settings.locksets && !settings.plan.races)
    return Error{fmt::format("{}: with races off accesses are not looked at",
                             variable("RADDLE_LOCKSETS").empty() ? "locksets" : "RADDLE_LOCKSETS"),
                 kExitUsage};
  // A thread that a test leaves behind would go on in the next run.
  Chosen fail_on = chosen("RADDLE_FAIL_ON", "fail_on", request.fail_on, "leaked-thread");
  RADDLE_TAKE(settings.failing.warnings, search::parse_fail_on(fail_on.text, fail_on.by));
  Chosen atomicity = chosen("RADDLE_ATOMICITY", "atomicity", request.atomicity, "warn");
  RADDLE_TAKE(settings.atomicity,
              search::parse_atomicity(atomicity.text, settings.failing.warnings, atomicity.by));
  return Done{};
}

// To learn, every access has to be recorded, whatever the test asks for otherwise. Interleavings
// that should not be there teach nothing.
Status read_learning(const raddle_check_request& request, Settings& settings) {
  RADDLE_TAKE(settings.learn, read_flag("RADDLE_LEARN", false));
  settings.learn = settings.learn && request.expect_infeasible == 0;
  if (!settings.learn) return Done{};
  settings.plan.races = true;
  if (settings.plan.points == wire::Points::sync) settings.plan.points = wire::Points::shared;
  Status learns = outcome::check_learns(*settings.strategy, "RADDLE_STRATEGY");
  if (learns || !variable("RADDLE_STRATEGY").empty()) return learns;
  RADDLE_TAKE(settings.strategy, search::find_strategy("auto"));
  return Done{};
}

}  // namespace

Result<Settings> read_settings(const raddle_check_request& request) {
  if (request.version != RADDLE_CHECK_VERSION)
    return Error{"the test was compiled with another version of raddle/check.h than the library",
                 kExitUsage};
  Settings settings;
  settings.name = request.name == nullptr ? "" : request.name;
  if (auto status = read_strategy(request, settings); !status) return status.error();
  if (auto status = read_search(request, settings); !status) return status.error();
  if (auto status = read_budget(request, settings); !status) return status.error();
  search::PlanOptions& plan = settings.plan;
  plan.seed = request.seed == 0 ? 1 : request.seed;
  if (std::string seed = variable("RADDLE_SEED"); !seed.empty())
    RADDLE_TAKE(plan.seed, search::parse_number("RADDLE_SEED", seed, 0, UINT64_MAX));
  if (request.depth > 1000) return Error{"depth: 1 to 1000", kExitUsage};
  if (request.depth != 0) plan.depth = request.depth;
  plan.max_steps = request.max_steps == 0 ? kMaxStepsDefault : request.max_steps;
  if (plan.max_steps > kMaxStepsMax) return Error{"max_steps: at most ten million", kExitUsage};
  if (request.spurious > 1'000'000) return Error{"spurious: at most a million", kExitUsage};
  plan.spurious = request.spurious;
  if (auto status = read_points(request, settings); !status) return status.error();
  if (std::string timeout = variable("RADDLE_RUN_TIMEOUT"); !timeout.empty())
    RADDLE_TAKE(settings.run_timeout, search::parse_duration("RADDLE_RUN_TIMEOUT", timeout));
  RADDLE_TAKE(settings.keep_going, read_flag("RADDLE_KEEP_GOING", request.keep_going != 0));
  if (auto status = read_suspicions(request, settings); !status) return status.error();
  if (auto status = read_learning(request, settings); !status) return status.error();
  if (auto status = read_lock_order(settings); !status) return status.error();
  settings.out = chosen("RADDLE_OUT", "", nullptr, ".raddle").text;
  settings.replay = variable("RADDLE_REPLAY");
  return settings;
}

#undef RADDLE_TAKE

}  // namespace raddle::check
