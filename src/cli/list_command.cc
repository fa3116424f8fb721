// SPDX-License-Identifier: Apache-2.0
//
// raddle list strategies|priorities|analyses|findings
#include <fmt/core.h>

#include <map>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "cli/summary.h"
#include "detect/registry.h"
#include "launch/did_you_mean.h"
#include "report/finding_store.h"
#include "search/priority.h"
#include "search/strategies.h"

namespace raddle::cli {
namespace {

int list_strategies(const std::string&) {
  for (const search::Strategy& strategy : search::strategies())
    fmt::print("{:<16} {}\n", strategy.name, strategy.description);
  return 0;
}

int list_analyses(const std::string&) {
  std::map<std::string_view, std::string_view> all = {
      {"happens-before",
       "counts distinct behaviours: runs that differ in the order of dependent ops"}};
  for (const detect::Detector* detector : detect::detectors())
    all[detector->name] = detector->description;
  for (const auto& [name, description] : all) fmt::print("{:<14} {}\n", name, description);
  return 0;
}

int list_priorities(const std::string&) {
  for (const search::PriorityFunction& function : search::priority_functions())
    fmt::print("{:<14} {}\n", function.name, function.description);
  return 0;
}

// Folders that cannot be read do not hide the others.
int list_findings(const std::string& out) {
  report::FindingStore store(out);
  int code = 0;
  for (int number : store.list()) {
    auto stored = store.load(std::to_string(number));
    if (stored)
      fmt::print("{:<4} {}", number, finding_line(stored->finding));
    else
      code = fail(stored.error());
  }
  if (store.list().empty()) fmt::print(stderr, "raddle: no findings in {}\n", out);
  return code;
}

struct Topic {
  const char* name;
  int (*list)(const std::string& out);
};
constexpr Topic kTopics[] = {{"strategies", list_strategies},
                             {"priorities", list_priorities},
                             {"analyses", list_analyses},
                             {"findings", list_findings}};

}  // namespace

int cmd_list(const Arguments& arguments) {
  Options options("raddle list", "raddle list strategies|priorities|analyses|findings [--out DIR]",
                  Words::among_options);
  std::string out = ".raddle";
  options.app()
      .add_option("--out", out, "where findings are kept, default .raddle")
      ->type_name("DIR");
  auto proceed = options.parse(arguments);
  if (!proceed) return fail(proceed.error());
  if (!*proceed) return 0;
  Arguments words = options.words();
  words.insert(words.end(), options.after_dashes().begin(), options.after_dashes().end());
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) names.emplace_back(topic.name);
  if (words.size() != 1)
    return fail({"list what? strategies, priorities, analyses or findings", kExitUsage});
  for (const Topic& topic : kTopics)
    if (words[0] == topic.name) return topic.list(out);
  std::string hint = launch::did_you_mean(words[0], names);
  return fail({fmt::format("nothing called `{}` to list{}", words[0],
                           hint.empty() ? ": strategies, priorities, analyses or findings" : hint),
               kExitUsage});
}

}  // namespace raddle::cli
