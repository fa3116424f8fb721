// SPDX-License-Identifier: Apache-2.0
//
// raddle doctor [--json] [PROG]
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/failure.h"
#include "cli/options.h"

namespace raddle::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  std::string program;  // empty: the machine only
  bool json = false;
};

Result<std::optional<DoctorOptions>> parse_doctor_options(const Arguments& arguments) {
  Options options("raddle doctor", "raddle doctor [--json] [PROG]", Words::among_options);
  DoctorOptions result;
  options.app().add_flag("--json", result.json, "print the checks as JSON");
  options.app().footer(
      "Says whether this machine can run programs under control, how PROG was built, what raddle\n"
      "cannot see of it, and what to do. Nothing of PROG is run.\n\n"
      "Exit codes: 0 it can be run under control, 3 it cannot, 2 bad usage.");
  auto proceed = options.parse(arguments);
  if (!proceed) return proceed.error();
  if (!*proceed) return std::optional<DoctorOptions>();
  Arguments words = options.words();
  words.insert(words.end(), options.after_dashes().begin(), options.after_dashes().end());
  if (words.size() > 1)
    return Error{"raddle doctor looks at one program, without its arguments", kExitUsage};
  if (!words.empty()) result.program = words[0];
  return std::optional<DoctorOptions>(std::move(result));
}

void print(const std::string& title, const Checks& checks) {
  fmt::print("{}\n", title);
  std::size_t width = 0;
  for (const Check& check : checks) width = std::max(width, check.topic.size());
  for (const Check& check : checks) {
    fmt::print("  {:<7}  {:<{}}  {}\n", level_word(check.level), check.topic, width, check.fact);
    if (!check.advice.empty()) fmt::print("  {:<7}  {:<{}}  -> {}\n", "", "", width, check.advice);
  }
}

Json to_json(const Checks& checks) {
  Json list = Json::array();
  for (const Check& check : checks)
    list.push_back({{"level", level_word(check.level)},
                    {"topic", check.topic},
                    {"fact", check.fact},
                    {"advice", check.advice}});
  return list;
}

bool blocked(const Checks& checks) {
  return std::any_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.level == Level::blocker; });
}

void print_verdict(const std::string& program, const Checks& system, const Checks& own) {
  std::string subject = program.empty() ? "programs" : program;
  bool can_run = !blocked(system) && !blocked(own);
  auto warns = [](const Check& check) { return check.level == Level::warning; };
  auto warnings = std::count_if(system.begin(), system.end(), warns) +
                  std::count_if(own.begin(), own.end(), warns);
  if (!can_run)
    fmt::print("\n{} cannot be run under control here\n", subject);
  else if (warnings == 0)
    fmt::print("\n{} can be run under control here\n", subject);
  else
    fmt::print("\n{} can be run under control here, with {} warning{}\n", subject, warnings,
               warnings == 1 ? "" : "s");
}

}  // namespace

int cmd_doctor(const Arguments& arguments) {
  auto options = parse_doctor_options(arguments);
  if (!options) return fail(options.error());
  if (!*options) return 0;
  const std::string& name = (*options)->program;
  Checks own;
  if (!name.empty()) {
    std::error_code failure;
    std::string directory = std::filesystem::current_path(failure).string();
    if (failure) return fail({"the current directory does not exist any more", kExitUsage});
    auto program = launch::load_program({name}, directory, "");
    if (!program && program.error().exit_code == kExitUsage) return fail(program.error());
    own = program ? check_program(*program) : Checks{refusal(program.error())};
  }
  Checks system = check_system();
  bool can_run = !blocked(system) && !blocked(own);
  if ((*options)->json) {
    Json json = {{"schema", 1}, {"can_run", can_run}, {"system", to_json(system)}};
    json["name"] = name.empty() ? Json() : Json(name);
    json["program"] = to_json(own);
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print("this machine", system);
    if (!name.empty()) print("\n" + name, own);
    print_verdict(name, system, own);
  }
  return can_run ? 0 : kExitCannotRun;
}

}  // namespace raddle::cli
