// SPDX-License-Identifier: Apache-2.0
//
// From a request and the environment to settings. Engine side, in the program's process.
#include "check/settings.h"

#include <stdlib.h>

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

// The environment's word, else the test's, else the default.
std::string chosen(const char* name, const char* wanted, const char* usual) {
  std::string text = variable(name);
  if (!text.empty()) return text;
  return wanted != nullptr && *wanted != '\0' ? wanted : usual;
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

}  // namespace

Result<Settings> read_settings(const raddle_check_request& request) {
  if (request.version != RADDLE_CHECK_VERSION)
    return Error{"the test was compiled with another version of raddle/check.h than the library",
                 kExitUsage};
  Settings settings;
  settings.name = request.name == nullptr ? "" : request.name;
  RADDLE_TAKE(settings.strategy,
              search::find_strategy(chosen("RADDLE_STRATEGY", request.strategy, "auto")));
  if (auto status = read_budget(request, settings); !status) return status.error();
  search::PlanOptions& plan = settings.plan;
  plan.seed = request.seed == 0 ? 1 : request.seed;
  if (std::string seed = variable("RADDLE_SEED"); !seed.empty())
    RADDLE_TAKE(plan.seed, search::parse_number("RADDLE_SEED", seed, 0, UINT64_MAX));
  if (request.depth != 0) plan.depth = request.depth;
  plan.max_steps = request.max_steps == 0 ? kMaxStepsDefault : request.max_steps;
  if (plan.max_steps > kMaxStepsMax) return Error{"max_steps: at most ten million", kExitUsage};
  plan.spurious = request.spurious;
  RADDLE_TAKE(plan.points, search::parse_points(chosen("RADDLE_POINTS", request.points, "shared")));
  RADDLE_TAKE(plan.timers, search::parse_timers(chosen("RADDLE_TIMERS", request.timers, "idle")));
  RADDLE_TAKE(plan.races, search::parse_races(chosen("RADDLE_RACES", request.races, "fail"),
                                              settings.races_fail));
  if (std::string timeout = variable("RADDLE_RUN_TIMEOUT"); !timeout.empty())
    RADDLE_TAKE(settings.run_timeout, search::parse_duration("RADDLE_RUN_TIMEOUT", timeout));
  settings.keep_going = request.keep_going != 0 || variable("RADDLE_KEEP_GOING") == "1";
  settings.out = chosen("RADDLE_OUT", nullptr, ".raddle");
  settings.replay = variable("RADDLE_REPLAY");
  return settings;
}

#undef RADDLE_TAKE

}  // namespace raddle::check
