// SPDX-License-Identifier: Apache-2.0
//
// What `raddle test` was asked to do. Engine side.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/command.h"
#include "session/request.h"

namespace raddle::cli {

struct TestOptions {
  session::Request request;  // its program is not loaded yet
  Arguments program;
  std::string stdin_file;
  std::string json;         // a file, "-" for standard output, empty for none
  std::string dump_events;  // for tests: a file to which the events of every run are appended
  bool quiet = false;
};

// Nothing if the help was asked for and printed.
Result<std::optional<TestOptions>> parse_test_options(const Arguments& arguments);

// Looks for the program that the options name, in the current directory.
Status load_program(TestOptions& options);

}  // namespace raddle::cli
