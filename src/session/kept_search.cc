// SPDX-License-Identifier: Apache-2.0
//
// What a kept search depends on, and where it lies. Engine side.
#include "session/kept_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/file_io.h"
#include "search/checked_file.h"
#include "search/tree_file.h"

namespace raddle::session {
namespace {

namespace fs = std::filesystem;
using outcome::find_fact;
using outcome::kFactArguments;
using outcome::kFactBuild;
using outcome::kFactInput;
using outcome::kFactLibrary;
using outcome::kFactProgram;
using outcome::kFactTest;

constexpr const char* kSuffix = ".search";

std::string points_name(wire::Points points) {
  switch (points) {
    case wire::Points::sync:
      return "sync";
    case wire::Points::shared:
      return "shared";
    case wire::Points::all:
      break;
  }
  return "all";
}

// An option that was not given has no value.
void add_options(const Request& request, Facts& facts) {
  const search::PlanOptions& plan = request.plan;
  const campaign::Surroundings& around = request.surroundings;
  const std::string& input = request.program().stdin_file;
  auto number = [](std::uint64_t value) { return std::to_string(value); };
  facts.insert(facts.end(),
               {{"--strategy", std::string(request.strategy->name)},
                {"--bound", plan.bound ? number(*plan.bound) : ""},
                {"--priority", plan.priority},
                {"--method", fmt::format("{}", fmt::join(request.focus.methods, ","))},
                {"--var", fmt::format("{}", fmt::join(request.focus.variables, ","))},
                {"--seed", number(plan.seed)},
                {"--depth", number(plan.depth)},
                {"--points", points_name(plan.points)},
                {"--max-steps", number(plan.max_steps)},
                {"--spurious", number(plan.spurious)},
                {"--timers", plan.timers == wire::Timers::any ? "any" : "idle"},
                {"--races", plan.races ? "" : "off"},
                {"--stop-when-idle", plan.stop_when_idle ? "given" : ""},
                {"--expect-exit", number(static_cast<std::uint64_t>(around.expect_exit))},
                {"--stdin", input},
                {kFactInput, input.empty() ? "" : outcome::sum_of_file(input)},
                {"--before", around.before},
                {"--check", around.check}});
}

std::string describe_difference(const std::string& name, const std::string& then,
                                const std::string& now) {
  if (name == kFactBuild) return "the program has been built anew";
  if (name == kFactInput && !then.empty() && !now.empty())
    return "the contents of --stdin have changed";
  if (name.starts_with(kFactLibrary)) return fmt::format("{} has changed", name);
  if (then.empty()) return fmt::format("it had no {}, now it is `{}`", name, now);
  if (now.empty()) return fmt::format("{} was `{}`, now there is none", name, then);
  return fmt::format("{} was `{}`, now it is `{}`", name, then, now);
}

}  // namespace

Facts request_facts(const Request& request) {
  Facts facts = outcome::program_facts(request.program());
  if (!request.campaign.test.empty()) facts.emplace_back(kFactTest, request.campaign.test);
  add_options(request, facts);
  return facts;
}

Facts parse_facts(const std::string& text) {
  Facts facts;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::size_t equals = text.find('=', at);
    if (equals >= end) return {};
    std::string value = text.substr(equals + 1, end - equals - 1);
    for (std::size_t i = 0; (i = value.find('\\', i)) != std::string::npos; ++i)
      value.replace(i, 2, value.compare(i, 2, "\\n") == 0 ? "\n" : "\\");
    facts.emplace_back(text.substr(at, equals - at), value);
    at = end + 1;
  }
  return facts;
}

std::string describe_differences(const Facts& then, const Facts& now) {
  std::vector<std::string> words;
  for (const auto& [name, value] : now) {
    const std::string* before = find_fact(then, name);
    if (before == nullptr || *before != value)
      words.push_back(describe_difference(name, before == nullptr ? "" : *before, value));
  }
  for (const auto& [name, value] : then)
    if (find_fact(now, name) == nullptr) words.push_back(describe_difference(name, value, ""));
  return fmt::format("{}", fmt::join(words, "; "));
}

KeptSearch::KeptSearch(const Request& request, Facts facts)
    : program_(request.program().argv[0]),
      strategy_(request.strategy->name),
      directory_(request.out + "/search"),
      facts_(std::move(facts)),
      must_(request.resume == Resume::must) {
  const launch::Program& program = request.program();
  std::string key = program.path + '\0' + strategy_;
  for (std::size_t i = 1; i < program.argv.size(); ++i) key += '\0' + program.argv[i];
  // Arguments of a test program say which tests there are, but not which of them this is.
  if (!request.campaign.test.empty()) key += std::string(2, '\0') + request.campaign.test;
  path_ = fmt::format("{}/{}-{}-{:016x}{}", directory_, fs::path(program.path).filename().string(),
                      strategy_, search::checksum(key), kSuffix);
}

Error KeptSearch::nothing_kept() const {
  std::vector<std::string> others;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, ignored)) {
    if (entry.path().extension() != kSuffix) continue;
    auto subject = search::read_tree_subject(entry.path());
    if (!subject) continue;
    Facts facts = parse_facts(*subject);
    const std::string* program = find_fact(facts, kFactProgram);
    const std::string* arguments = find_fact(facts, kFactArguments);
    const std::string* strategy = find_fact(facts, "--strategy");
    if (program == nullptr || arguments == nullptr || strategy == nullptr) continue;
    if (*program == *find_fact(facts_, kFactProgram) &&
        *arguments == *find_fact(facts_, kFactArguments))
      others.push_back("--strategy " + *strategy);
  }
  std::ranges::sort(others);
  std::string hint =
      others.empty() ? "" : fmt::format("; there is one with {}", fmt::join(others, ", "));
  return {fmt::format("--resume: no unfinished search of {} with strategy {} in {}{}", program_,
                      strategy_, directory_, hint),
          kExitUsage};
}

Result<bool> KeptSearch::load(search::Search& search, std::string& note) {
  auto* kept = search::ask<search::Resumable>(search);
  std::error_code ignored;
  bool nothing = kept == nullptr || !fs::exists(path_, ignored);
  if (nothing && !must_) return false;
  if (kept == nullptr)
    return Error{fmt::format("--resume: the strategy {} keeps nothing that a campaign could go on "
                             "with; auto and the systematic ones do, such as dpor",
                             strategy_),
                 kExitUsage};
  if (nothing) return nothing_kept();
  auto subject = search::read_tree_subject(path_);
  std::string differences =
      subject ? describe_differences(parse_facts(*subject), facts_) : subject.error().message;
  if (!differences.empty() && !must_) {
    note = fmt::format("the search in {} cannot go on, and begins anew: {}", path_, differences);
    return false;
  }
  if (!subject) return Error{"--resume: " + subject.error().message, kExitUsage};
  if (!differences.empty())
    return Error{fmt::format("--resume: the search in {} cannot go on: {}", path_, differences),
                 kExitUsage};
  Status loaded = kept->load(path_, *subject);
  mine_ = bool(loaded);
  if (!loaded) return Error{"--resume: " + loaded.error().message, kExitUsage};
  return true;
}

Status KeptSearch::save(search::Resumable& search) {
  if (Status made = report::make_folders(directory_); !made) return made;
  std::error_code ignored;  // there is none, mostly
  if (!mine_) fs::rename(path_, path_ + ".old", ignored);
  mine_ = true;
  return search.save(path_, outcome::print_facts(facts_));
}

void KeptSearch::remove() const {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

}  // namespace raddle::session
