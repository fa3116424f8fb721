// SPDX-License-Identifier: Apache-2.0
//
// From the command line to a command. The only list of commands. Engine side.
#include <fmt/core.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cc/wrapper.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/version.h"
#include "launch/did_you_mean.h"

namespace raddle::cli {
namespace {

constexpr Command kCommands[] = {
    {"cc", "compile and link C, like gcc or clang", cmd_cc},
    {"c++", "compile and link C++, like g++ or clang++", cmd_cxx},
    {"test", "run a program under many schedules and look for bugs", cmd_test},
    {"replay", "run a finding again, under the schedule that showed it", cmd_replay},
    {"show", "print the interleaving of a finding with source lines", cmd_show},
    {"explain", "compare a finding with runs that pass: which orders make it fail", cmd_explain},
    {"list", "list strategies, priorities, analyses or findings", cmd_list},
    {"learn", "learn from good runs what belongs together, for `test` to watch", cmd_learn},
    {"memo", "say, copy, merge or forget what campaigns have remembered", cmd_memo},
    {"coverage", "say which interleavings campaigns have covered, and what is left", cmd_coverage},
    {"doctor", "say what raddle can see of a program, and what keeps it from more", cmd_doctor},
};

void print_help() {
  fmt::print(
      "raddle finds concurrency bugs in C and C++ programs by running them under schedules that it "
      "controls,\nand replays every one it finds.\n\n"
      "Usage: raddle COMMAND ...\n\nCommands:\n");
  for (const Command& command : kCommands)
    fmt::print("  {:<8} {}\n", command.name, command.summary);
  fmt::print(
      "\n`raddle COMMAND --help` explains a command; `raddle --version` prints the version.\n\n"
      "A first session:\n"
      "  raddle c++ -g -O1 bank.cpp -o bank\n"
      "  raddle test ./bank\n"
      "  raddle replay 1\n"
      "  raddle show 1\n\n"
      "Exit codes: 0 nothing found, 1 a finding, 2 bad usage or input, 3 the program cannot be run "
      "under control,\n4 a replay no longer follows its schedule, 70 a bug in raddle.\n");
}

int unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  std::string hint = launch::did_you_mean(word, names);
  const char* what = word.starts_with('-') ? "option" : "command";
  if (hint.empty()) hint = "; see `raddle --help`";
  return fail({fmt::format("unknown {} `{}`{}", what, word, hint), kExitUsage});
}

// The command that the name of the executable stands for, or an empty string.
std::string command_of_name(const char* path) {
  const char* slash = strrchr(path, '/');
  std::string name = slash != nullptr ? slash + 1 : path;
  if (name == "raddle-cc") return "cc";
  if (name == "raddle-c++") return "c++";
  return {};
}

}  // namespace

int cmd_cc(const Arguments& arguments) { return cc::cc_main(cc::Language::kC, arguments); }
int cmd_cxx(const Arguments& arguments) { return cc::cc_main(cc::Language::kCxx, arguments); }

int dispatch(int argc, char** argv) {
  Arguments arguments(argv + std::min(argc, 1), argv + argc);
  std::string word = argc > 0 ? command_of_name(argv[0]) : "";
  if (word.empty()) {
    if (arguments.empty()) {
      print_help();
      return kExitUsage;
    }
    word = arguments.front();
    arguments.erase(arguments.begin());
  }
  if (word == "--help" || word == "-h" || word == "help") {
    print_help();
    return 0;
  }
  if (word == "--version") {
    fmt::print("raddle {}\n", kVersion);
    return 0;
  }
  if (word == kBelowGdb) return cmd_below_gdb(arguments);
  for (const Command& command : kCommands)
    if (command.name == word) return command.run(arguments);
  return unknown_command(word);
}

}  // namespace raddle::cli
