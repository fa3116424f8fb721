// SPDX-License-Identifier: Apache-2.0
//
// Options of one command: CLI11 behind rules of our own. Engine side; the only header that includes
// CLI11.
//
// - What follows the program's name is the program's, whatever it looks like; `--` ends our own
//   options early.
// - An unknown option suggests the nearest known one.
// - Errors are values; CLI11's exceptions do not leave options.cc.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace raddle::cli {

// Whether words may stand among the options (`raddle show 1 --out DIR`) or end them (`raddle test
// PROG ARGS`).
enum class Words { among_options, end_options };

class Options {
 public:
  // `usage` is the line after "Usage: ".
  Options(const std::string& command, const std::string& usage, Words rule);

  CLI::App& app() { return app_; }

  // True to go on, false if the help was asked for and printed.
  Result<bool> parse(const Arguments& arguments);

  // What is no option, in front of `--`.
  const Arguments& words() const { return words_; }
  // What came after `--`.
  const Arguments& after_dashes() const { return after_dashes_; }

 private:
  Status split(const Arguments& arguments, Arguments& own);
  Result<bool> takes_value(const std::string& argument) const;
  Error unknown(const std::string& option) const;

  std::string command_;
  Words rule_;
  CLI::App app_;
  bool help_ = false;
  Arguments words_;
  Arguments after_dashes_;
};

}  // namespace raddle::cli
