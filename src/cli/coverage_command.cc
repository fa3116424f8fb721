// SPDX-License-Identifier: Apache-2.0
//
// raddle coverage [PROG]: what campaigns have covered, as a table, JSON or a picture. Engine side.
#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "cli/coverage_svg.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/property_words.h"
#include "cli/text_file.h"
#include "launch/did_you_mean.h"
#include "launch/program.h"
#include "memo/memo.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kJsonSchema = 1;

struct CoverageCommand {
  std::string out = ".raddle";
  std::string program;  // empty: all
  std::string criterion;
  std::string json, svg;
  bool uncovered = false;
};

Result<std::vector<memo::Record>> remembered(const std::string& path) {
  memo::MemoOptions options;
  options.create = false;
  auto memo = memo::open_memo(path, options);
  if (!memo) return memo.error();
  std::vector<memo::Record> records;
  Status read = (*memo)->each([&](const memo::Record& record) {
    records.push_back(record);
    return Status(Done{});
  });
  if (!read) return read.error();
  return records;
}

std::vector<std::string> program_paths(const std::vector<memo::Record>& records) {
  std::set<std::string> paths;
  for (const memo::Record& record : records)
    if (auto* program = std::get_if<memo::ProgramRecord>(&record)) paths.insert(program->path);
  return {paths.begin(), paths.end()};
}

// Of the program that was asked for, or of all that have any.
Result<std::vector<CoverageSummary>> summaries(const CoverageCommand& command) {
  std::string memo = memo::memo_path(command.out);
  auto records = remembered(memo);
  if (!records) return records.error();
  std::vector<std::string> known = program_paths(*records), paths = known;
  if (!command.program.empty()) {
    std::error_code ignored;
    paths = {launch::resolve_path(fs::current_path(ignored).string(), command.program)};
    if (std::ranges::find(known, paths[0]) == known.end())
      return Error{fmt::format("{}: nothing is remembered of {} (`raddle memo stats` lists the "
                               "programs)",
                               memo, paths[0]),
                   kExitUsage};
  }
  std::vector<CoverageSummary> found;
  for (const std::string& path : paths)
    if (auto summary = summarize_coverage(*records, path)) found.push_back(std::move(*summary));
  if (found.empty())
    return Error{fmt::format("{}: no campaign of {} has observed coverage; `raddle test` does so "
                             "with strategies that sample, such as auto or random",
                             memo, command.program.empty() ? "any program" : paths[0]),
                 kExitUsage};
  return found;
}

Status keep_criterion(const std::string& name, std::vector<CoverageSummary>& all) {
  if (name.empty()) return Done{};
  std::vector<std::string> names;
  for (CoverageSummary& summary : all) {
    for (const CriterionSummary& each : summary.criteria) names.push_back(each.name);
    std::erase_if(summary.criteria,
                  [&](const CriterionSummary& each) { return each.name != name; });
  }
  if (std::ranges::find(names, name) != names.end()) return Done{};
  std::string hint = launch::did_you_mean(name, names);
  if (hint.empty()) hint = fmt::format(": there are {}", fmt::join(names, ", "));
  return Error{fmt::format("--criterion {}: no such criterion{}", name, hint), kExitUsage};
}

// "about 3", "less than 1".
std::string estimate_text(const CriterionSummary& criterion) {
  if (criterion.runs < 2) return "?";
  if (criterion.estimate.unseen < 0.5) return "0";
  return fmt::format("{:.0f}", criterion.estimate.unseen);
}

std::string table(const CoverageSummary& summary) {
  std::uint64_t runs = summary.criteria.empty() ? 0 : summary.criteria.front().runs;
  std::uint64_t recent = summary.criteria.empty() ? 0 : summary.criteria.front().recent;
  std::string text = fmt::format("{}: {} observed run{} in {} campaign{}\n", summary.program.path,
                                 group_digits(runs), runs == 1 ? "" : "s", summary.campaigns,
                                 summary.campaigns == 1 ? "" : "s");
  std::string last = fmt::format("last {}", group_digits(recent));
  text +=
      fmt::format("{:<10} {:>16} {:>8} {:>8} {:>9} {:>9} {:>10} {:>7}\n", "criterion",
                  "all, by formula", "known", "covered", "untested", "given up", last, "unseen");
  bool hidden = false;
  for (const CriterionSummary& each : summary.criteria) {
    hidden |= each.at_least;
    std::string covered = group_digits(each.covered) + (each.at_least ? "+" : "");
    // What an exponential set holds is not listed, so nothing is known to be untested.
    std::string untested = each.grows_long ? "-" : group_digits(each.untested);
    text += fmt::format("{:<10} {:>16} {:>8} {:>8} {:>9} {:>9} {:>10} {:>7}\n", each.name,
                        each.size.empty() ? "-" : each.size,
                        group_digits(each.known) + (each.at_least ? "+" : ""), covered, untested,
                        group_digits(each.given_up), fmt::format("+{}", each.added),
                        estimate_text(each));
  }
  if (hidden) text += "+: at least; limits hid the rest\n";
  return text;
}

// The criterion that says when to stop: growth of the exponential ones never ends.
std::string growth_sentence(const CoverageSummary& summary) {
  std::uint64_t added = 0, recent = 0;
  double next = 0;
  for (const CriterionSummary& each : summary.criteria) {
    if (each.grows_long) continue;
    added += each.added;
    next += each.estimate.next_run;
    recent = each.recent;
  }
  if (recent == 0) return "";
  return fmt::format(
      "the last {} run{} added {}{}; the next is expected to add {:.3f}\n", group_digits(recent),
      recent == 1 ? "" : "s", added,
      summary.criteria.front().grows_long ? " but for orders (all, tpair, svar)" : "", next);
}

std::string uncovered_text(const CoverageSummary& summary) {
  std::string text;
  for (const CriterionSummary& each : summary.criteria) {
    if (each.uncovered.empty()) continue;
    text +=
        fmt::format("\n{}: {} untested, {} given up\n", each.name, each.untested, each.given_up);
    for (const UncoveredProperty& property : each.uncovered)
      text +=
          fmt::format("  {}{}\n", property.given_up ? "given up: " : "", property_text(property));
  }
  return text.empty() ? "\nnothing known is untested\n" : text;
}

Json to_json(const UncoveredProperty& property) {
  Json accesses = Json::array();
  for (const KeptAccess& access : property.accesses)
    accesses.push_back({{"kind", access.kind},
                        {"thread", access.thread},
                        {"nth", access.nth},
                        {"site", access.site},
                        {"place", access.place}});
  return {{"text", property_text(property)}, {"variable", variables_text(property.property)},
          {"form", property.property.form},  {"accesses", accesses},
          {"attempts", property.attempts},   {"failures", property.failures},
          {"given_up", property.given_up}};
}

Json to_json(const CoverageSummary& summary, bool uncovered) {
  Json json = {{"program", summary.program.path},
               {"build", summary.program.build},
               {"campaigns", summary.campaigns},
               {"runs", summary.criteria.empty() ? 0 : summary.criteria.front().runs},
               {"criteria", Json::array()}};
  for (const CriterionSummary& each : summary.criteria) {
    Json criterion = {
        {"name", each.name},
        {"size", each.size},
        {"known", each.known},
        {"covered", each.covered},
        {"untested", each.grows_long ? Json() : Json(each.untested)},
        {"given_up", each.given_up},
        {"at_least", each.at_least},
        {"recent", {{"runs", each.recent}, {"added", each.added}}},
        {"estimate", {{"unseen", each.estimate.unseen}, {"next_run", each.estimate.next_run}}},
        {"growth", each.growth}};
    if (uncovered) {
      criterion["uncovered"] = Json::array();
      for (const UncoveredProperty& property : each.uncovered)
        criterion["uncovered"].push_back(to_json(property));
    }
    json["criteria"].push_back(std::move(criterion));
  }
  return json;
}

Status write_outputs(const CoverageCommand& command, const std::vector<CoverageSummary>& all) {
  if (!command.svg.empty())
    if (Status written = write_text(command.svg, coverage_svg(all.front())); !written)
      return Error{"--svg: " + written.error().message, written.error().exit_code};
  if (!command.json.empty()) {
    Json json = {{"schema", kJsonSchema}, {"programs", Json::array()}};
    for (const CoverageSummary& summary : all)
      json["programs"].push_back(to_json(summary, command.uncovered));
    std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (command.json != "-") {
      if (Status written = write_text(command.json, text); !written)
        return Error{"--json: " + written.error().message, written.error().exit_code};
    } else {
      fmt::print("{}", text);
    }
  }
  if (command.json != "-")
    for (std::size_t i = 0; i < all.size(); ++i)
      fmt::print("{}{}{}{}", i == 0 ? "" : "\n", table(all[i]), growth_sentence(all[i]),
                 command.uncovered ? uncovered_text(all[i]) : "");
  if (fflush(stdout) != 0) return Error{"cannot write to standard output", kExitUsage};
  return Done{};
}

constexpr const char* kFooter =
    "known     what runs have covered, and what they have shown to be possible\n"
    "untested  of this: what no run has covered\n"
    "given up  of this: what runs that were made for it did not show, three times or more\n"
    "last N    what the last N observed runs have added\n"
    "unseen    at least about so many more can be covered, by an estimate (Chao)\n";

}  // namespace

int cmd_coverage(const Arguments& arguments) {
  Options options("raddle coverage", "raddle coverage [PROG] [--out DIR] [options]",
                  Words::among_options);
  CoverageCommand command;
  CLI::App& app = options.app();
  app.add_option("--out", command.out, "where memo.db is, default .raddle")->type_name("DIR");
  app.add_flag("--uncovered", command.uncovered, "list what is known and not covered");
  app.add_option("--criterion", command.criterion, "only this one")->type_name("NAME");
  app.add_option("--json", command.json, "write it as JSON; - is standard output")
      ->type_name("FILE");
  app.add_option("--svg", command.svg, "write the growth over runs as a picture")
      ->type_name("FILE");
  app.footer(kFooter);
  auto proceed = options.parse(arguments);
  if (!proceed) return fail(proceed.error());
  if (!*proceed) return 0;
  Arguments words = options.words();
  words.insert(words.end(), options.after_dashes().begin(), options.after_dashes().end());
  if (command.out.empty()) return fail({"--out: the name of the directory is empty", kExitUsage});
  if (words.size() > 1)
    return fail(
        {fmt::format("coverage of one program at a time: `{}` is too much", words[1]), kExitUsage});
  if (!words.empty()) command.program = words[0];
  auto all = summaries(command);
  if (!all) return fail(all.error());
  if (!command.svg.empty() && all->size() > 1)
    return fail({fmt::format("--svg: of which program? {} knows {}", memo::memo_path(command.out),
                             all->size()),
                 kExitUsage});
  if (Status kept = keep_criterion(command.criterion, *all); !kept) return fail(kept.error());
  if (Status written = write_outputs(command, *all); !written) return fail(written.error());
  return 0;
}

}  // namespace raddle::cli
