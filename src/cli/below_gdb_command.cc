// SPDX-License-Identifier: Apache-2.0
//
// raddle start-below-gdb RECORD CHANNEL
//
// Becomes the program under test. Both arguments are descriptors that `raddle replay --gdb` left
// open; nobody else has a use for this command. Runs in the process that gdb watches.
#include <charconv>

#include "cli/command.h"
#include "cli/failure.h"
#include "launch/gdb_executor.h"

namespace raddle::cli {
namespace {

int descriptor(const std::string& text) {
  int value = -1;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

}  // namespace

int cmd_below_gdb(const Arguments& arguments) {
  // gdb appends the program, which the record names too.
  int record = arguments.size() < 2 ? -1 : descriptor(arguments[0]);
  int channel = arguments.size() < 2 ? -1 : descriptor(arguments[1]);
  if (record < 0 || channel < 0)
    return fail({"this is for `raddle replay --gdb` only", kExitUsage});
  return fail(launch::start_below_debugger(record, channel));
}

}  // namespace raddle::cli
