// SPDX-License-Identifier: Apache-2.0
//
// raddle show FINDING
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "report/finding_store.h"
#include "report/text_show.h"

namespace raddle::cli {
namespace {

// Below this columns cannot be told apart.
constexpr int kWidthMin = 40;

report::ShowOptions show_options(const facts::Schedule& schedule) {
  report::ShowOptions options;
  options.directory = schedule.directory;
  options.width = report::show_width();
  bool terminal = isatty(STDOUT_FILENO) == 1;
  winsize size = {};
  if (terminal && getenv("COLUMNS") == nullptr && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col >= kWidthMin)
    options.width = size.ws_col;
  // https://no-color.org: any value that is not empty.
  const char* no_colour = getenv("NO_COLOR");
  options.colour = terminal && (no_colour == nullptr || *no_colour == '\0');
  return options;
}

}  // namespace

int cmd_show(const Arguments& arguments) {
  Options options("raddle show", "raddle show FINDING [--out DIR]", Words::among_options);
  std::string out = ".raddle";
  options.app()
      .add_option("--out", out, "where findings are kept, default .raddle")
      ->type_name("DIR");
  options.app().footer(
      "FINDING is a number (see `raddle list findings`) or the directory of a finding.");
  auto proceed = options.parse(arguments);
  if (!proceed) return fail(proceed.error());
  if (!*proceed) return 0;
  if (options.words().size() != 1 || !options.after_dashes().empty())
    return fail({"show which finding? Usage: raddle show FINDING [--out DIR]", kExitUsage});
  auto stored = report::FindingStore(out).load(options.words()[0]);
  if (!stored) return fail(stored.error());
  report::Symbolizer symbolizer;
  report::ProgramNames names(stored->recording.modules, symbolizer, &stored->recording.stacks);
  fmt::print("{}", report::text_show(stored->finding, stored->recording, names,
                                     show_options(stored->schedule)));
  return 0;
}

}  // namespace raddle::cli
