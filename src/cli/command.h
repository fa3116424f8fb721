// SPDX-License-Identifier: Apache-2.0
//
// Command: one word after `raddle`. Engine side. To add one: write foo_command.cc, declare it here,
// add a row to kCommands in dispatch.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace raddle::cli {

using Arguments = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);  // without the command's name; returns the exit code
};

int cmd_cc(const Arguments& arguments);
int cmd_cxx(const Arguments& arguments);
int cmd_test(const Arguments& arguments);
int cmd_replay(const Arguments& arguments);
int cmd_show(const Arguments& arguments);
int cmd_explain(const Arguments& arguments);
int cmd_list(const Arguments& arguments);
int cmd_learn(const Arguments& arguments);
int cmd_memo(const Arguments& arguments);
int cmd_coverage(const Arguments& arguments);
int cmd_doctor(const Arguments& arguments);

// Not for users: gdb runs it in place of the program (launch/raddle_gdb.py).
inline constexpr std::string_view kBelowGdb = "start-below-gdb";
int cmd_below_gdb(const Arguments& arguments);

// What main() does. argv[0] decides too: raddle-cc and raddle-c++ are names of the same file.
int dispatch(int argc, char** argv);

}  // namespace raddle::cli
