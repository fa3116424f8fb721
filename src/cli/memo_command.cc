// SPDX-License-Identifier: Apache-2.0
//
// raddle memo stats|export|import|merge|forget
#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "cli/text_file.h"
#include "launch/did_you_mean.h"
#include "launch/program.h"
#include "memo/memo.h"
#include "memo/records_json.h"
#include "report/file_io.h"

namespace raddle::cli {
namespace {

namespace fs = std::filesystem;

struct MemoCommand {
  std::string out = ".raddle";
  std::string program;
  bool all = false;
  Arguments words;  // after the action

  std::string path() const { return memo::memo_path(out); }
};

Result<std::unique_ptr<memo::Memo>> open_existing(const std::string& path) {
  memo::MemoOptions options;
  options.create = false;
  return memo::open_memo(path, options);
}

Result<std::unique_ptr<memo::Memo>> open_or_create(const MemoCommand& command) {
  if (Status made = report::make_folders(command.out); !made) return made.error();
  return memo::open_memo(command.path());
}

Result<std::vector<memo::Record>> all_records(memo::Memo& memo) {
  std::vector<memo::Record> records;
  Status read = memo.each([&](const memo::Record& record) {
    records.push_back(record);
    return Status(Done{});
  });
  if (!read) return read.error();
  return records;
}

std::string table_line(const memo::ProgramStats& program) {
  return fmt::format("{:>7} {:>7} {:>13} {:>10} {:>10} {:>9} {:>8}  {}\n", program.builds,
                     program.sites, program.shared_sites, program.campaigns, program.runs,
                     program.findings, program.covered, program.path);
}

int stats(const MemoCommand& command) {
  auto memo = open_existing(command.path());
  if (!memo) return fail(memo.error());
  auto stats = (*memo)->stats();
  if (!stats) return fail(stats.error());
  std::string text =
      fmt::format("{:>7} {:>7} {:>13} {:>10} {:>10} {:>9} {:>8}  {}\n", "builds", "sites",
                  "shared sites", "campaigns", "runs", "findings", "covered", "program");
  memo::ProgramStats sum;
  for (const memo::ProgramStats& program : stats->programs) {
    text += table_line(program);
    sum.builds += program.builds;
    sum.shared_sites += program.shared_sites;
    sum.campaigns += program.campaigns;
    sum.runs += program.runs;
    sum.findings += program.findings;
    sum.covered += program.covered;
  }
  sum.sites = stats->sites;
  sum.path = fmt::format("all ({})", stats->programs.size());
  if (stats->programs.size() != 1) text += table_line(sum);
  if (!stats->trainings.empty())
    text += fmt::format("\n{:>10} {:>9} {:>10} {:>9} {:>7}  {}\n", "invariants", "violated",
                        "trainings", "runs", "failed", "granularity, program");
  for (const memo::TrainingStats& each : stats->trainings)
    text += fmt::format("{:>10} {:>9} {:>10} {:>9} {:>7}  {}, {}\n", each.invariants, each.violated,
                        each.trainings, each.runs, each.failed, each.granularity, each.path);
  if (!stats->findings.empty())
    text += fmt::format("\n{:>7} {:>10}  {}\n", "seen", "campaigns", "finding");
  for (const memo::FindingStats& finding : stats->findings)
    text += fmt::format("{:>7} {:>10}  {}: {} ({})\n", finding.times, finding.campaigns,
                        finding.kind, finding.message.substr(0, finding.message.find('\n')),
                        fs::path(finding.path).filename().string());
  fmt::print("{}", text);
  return 0;
}

int export_records(const MemoCommand& command) {
  auto memo = open_existing(command.path());
  if (!memo) return fail(memo.error());
  std::string text;
  Status read = (*memo)->each([&](const memo::Record& record) {
    text += memo::print_record(record) + "\n";
    return Status(Done{});
  });
  if (!read) return fail(read.error());
  if (!command.words.empty()) {
    if (Status written = write_text(command.words[0], text); !written) return fail(written.error());
    return 0;
  }
  fmt::print("{}", text);
  if (fflush(stdout) != 0) return fail({"cannot write to standard output", kExitUsage});
  return 0;
}

Result<std::vector<memo::Record>> parse_records(const std::string& file, const std::string& text) {
  std::vector<memo::Record> records;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    auto record = memo::parse_record(std::string_view(text).substr(at, end - at));
    ++number;
    if (!record)
      return Error{fmt::format("{}:{}: {}", file, number, record.error().message), kExitUsage};
    records.push_back(std::move(*record));
    at = end + 1;
  }
  return records;
}

int add(const MemoCommand& command, const std::string& from,
        const std::vector<memo::Record>& records) {
  auto memo = open_or_create(command);
  if (!memo) return fail(memo.error());
  if (Status added = (*memo)->add(records); !added)
    return fail({from + ": " + added.error().message, added.error().exit_code});
  fmt::print("{}: {} records of {} are in it\n", command.path(), records.size(), from);
  return 0;
}

int import_records(const MemoCommand& command) {
  const std::string& file = command.words[0];
  auto text = read_text(file);
  if (!text) return fail(text.error());
  auto records = parse_records(file, *text);
  if (!records) return fail(records.error());
  return add(command, file, *records);
}

int merge(const MemoCommand& command) {
  std::string other = command.words[0];
  std::error_code ignored;
  if (fs::is_directory(other, ignored)) other = memo::memo_path(other);
  auto memo = open_existing(other);
  if (!memo) return fail(memo.error());
  auto records = all_records(**memo);
  if (!records) return fail(records.error());
  return add(command, other, *records);
}

int forget(const MemoCommand& command) {
  if (command.all == !command.program.empty())
    return fail({"forget what? --program PROG or --all", kExitUsage});
  auto memo = open_existing(command.path());
  if (!memo) return fail(memo.error());
  std::string path = command.program;
  if (!command.all) {
    std::error_code ignored;
    path = launch::resolve_path(fs::current_path(ignored).string(), path);
  }
  auto builds = (*memo)->forget(command.all ? "" : path);
  if (!builds) return fail(builds.error());
  if (!command.all && *builds == 0)
    return fail({fmt::format("--program: nothing is remembered of {} (`raddle memo stats` lists "
                             "the programs)",
                             path),
                 kExitUsage});
  fmt::print("{}: forgot {} build{}\n", command.path(), *builds, *builds == 1 ? "" : "s");
  return 0;
}

struct Action {
  const char* name;
  std::size_t words_min, words_max;
  const char* words;  // what they are
  int (*run)(const MemoCommand& command);
};
constexpr Action kActions[] = {
    {"stats", 0, 0, "nothing", stats},
    {"export", 0, 1, "the file to write, or nothing for standard output", export_records},
    {"import", 1, 1, "the file to read", import_records},
    {"merge", 1, 1, "the other memo.db, or the directory that it is in", merge},
    {"forget", 0, 0, "nothing but --program PROG or --all", forget}};

constexpr const char* kFooter =
    "stats          what is remembered, as a table\n"
    "export [FILE]  all of it as lines of JSON\n"
    "import FILE    adds what export wrote\n"
    "merge DB       adds what is in another memo.db, which stays as it is\n"
    "forget         removes what belongs to --program PROG, or everything (--all)";

int run_action(const MemoCommand& command, const std::string& name) {
  std::vector<std::string> names;
  for (const Action& action : kActions) {
    names.emplace_back(action.name);
    if (name != action.name) continue;
    if (action.run != forget && (command.all || !command.program.empty()))
      return fail({fmt::format("memo {}: --program and --all are for forget", name), kExitUsage});
    if (command.words.size() >= action.words_min && command.words.size() <= action.words_max)
      return action.run(command);
    return fail({fmt::format("memo {}: expected {}", name, action.words), kExitUsage});
  }
  std::string hint = launch::did_you_mean(name, names);
  return fail(
      {fmt::format("memo cannot `{}`{}", name,
                   hint.empty() ? ": it can stats, export, import, merge and forget" : hint),
       kExitUsage});
}

}  // namespace

int cmd_memo(const Arguments& arguments) {
  Options options("raddle memo", "raddle memo stats|export|import|merge|forget [--out DIR] ...",
                  Words::among_options);
  MemoCommand command;
  options.app()
      .add_option("--out", command.out, "where memo.db is, default .raddle")
      ->type_name("DIR");
  options.app()
      .add_option("--program", command.program, "forget: what belongs to this program")
      ->type_name("PROG");
  options.app().add_flag("--all", command.all, "forget: everything");
  options.app().footer(kFooter);
  auto proceed = options.parse(arguments);
  if (!proceed) return fail(proceed.error());
  if (!*proceed) return 0;
  command.words = options.words();
  command.words.insert(command.words.end(), options.after_dashes().begin(),
                       options.after_dashes().end());
  if (command.out.empty()) return fail({"--out: the name of the directory is empty", kExitUsage});
  if (command.words.empty())
    return fail({"memo what? stats, export, import, merge or forget", kExitUsage});
  std::string name = command.words.front();
  command.words.erase(command.words.begin());
  return run_action(command, name);
}

}  // namespace raddle::cli
