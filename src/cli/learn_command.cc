// SPDX-License-Identifier: Apache-2.0
//
// raddle learn [options] [--] PROG [ARGS...]
//
// Makes runs as `raddle test` does, and keeps of those that end well what they teach about
// atomicity (outcome/learning.h).
#include <fmt/core.h>
#include <stdio.h>

#include <nlohmann/json.hpp>

#include "cli/avio_comparison.h"
#include "cli/command.h"
#include "cli/failure.h"
#include "cli/interrupts.h"
#include "cli/learn_options.h"
#include "cli/progress.h"
#include "cli/text_file.h"
#include "outcome/known_invariants.h"
#include "outcome/learning.h"
#include "session/training.h"

namespace raddle::cli {
namespace {

using outcome::granularity_name;
using outcome::Learned;

std::string plural(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", group_digits(count), noun, count == 1 ? "" : "s");
}

std::string summary(const LearnOptions& options, const Learned& learned, const std::string& path) {
  const analysis::Training& training = learned.training;
  std::string text;
  if (learned.interrupted) text += "interrupted; ";
  text +=
      fmt::format("{} from {}, {} (strategy {}, seed {}, granularity {})\n",
                  plural(training.invariants(), "invariant"), plural(training.runs(), "run"),
                  seconds_text(learned.seconds), options.test.request.strategy->name,
                  options.test.request.plan.seed, granularity_name(options.learning.granularity));
  if (learned.violated() > 0)
    text += fmt::format(
        "{} of code {} violated by good runs, and {} none\n", plural(learned.violated(), "place"),
        learned.violated() == 1 ? "was" : "were", learned.violated() == 1 ? "is" : "are");
  if (learned.failed > 0)
    text +=
        fmt::format("{} failed and {} left out (the first: {})\n", plural(learned.failed, "run"),
                    learned.failed == 1 ? "was" : "were", learned.first_failure);
  if (learned.stable)
    text += fmt::format("the last {} changed nothing\n", plural(training.unchanged(), "run"));
  else
    text += fmt::format(
        "not stable: only the last {} changed nothing, --stable asks for {}; more runs (--time, "
        "--schedules) will tell more\n",
        plural(training.unchanged(), "run"), group_digits(options.learning.stable));
  return text + fmt::format("kept in {}\n", path);
}

std::string json_text(const LearnOptions& options, const Learned& learned) {
  nlohmann::ordered_json json = {{"program", options.test.program},
                                 {"strategy", options.test.request.strategy->name},
                                 {"seed", options.test.request.plan.seed},
                                 {"granularity", granularity_name(options.learning.granularity)},
                                 {"tolerated", options.learning.tolerated},
                                 {"runs", learned.training.runs()},
                                 {"failed", learned.failed},
                                 {"invariants", learned.training.invariants()},
                                 {"violated", learned.violated()},
                                 {"unchanged", learned.training.unchanged()},
                                 {"stable", learned.stable},
                                 {"seconds", learned.seconds}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int learn(const LearnOptions& options) {
  const session::Request& request = options.test.request;
  outcome::LearningOptions learning = options.learning;
  std::optional<AvioComparison> hardware;
  if (options.hardware)
    learning.on_good_run = [&hardware = hardware.emplace()](const facts::Run& run) {
      hardware.add(run);
    };
  session::Training training(request, std::move(learning));
  if (Status usable = training.open(); !usable) return fail(usable.error());
  auto executor = launch::start_executor(request.program(), session::executor_options(request));
  if (!executor) return fail(executor.error());
  auto made = training.learn(**executor);
  if (!made) return fail(made.error());
  const Learned& learned = *made;
  if (learned.training.runs() == 0 && !learned.interrupted) {
    fail(
        {fmt::format("all {} failed (the first: {}): nothing can be learned from them; `raddle "
                     "test` says more",
                     plural(learned.failed, "run"), learned.first_failure)});
    return 1;
  }
  std::string text = summary(options, learned, training.path());
  if (hardware) text += "\n" + hardware->table();
  if (!options.test.quiet) fmt::print(options.test.json == "-" ? stderr : stdout, "{}", text);
  if (options.test.json.empty()) return 0;
  std::string json = json_text(options, learned);
  if (options.test.json != "-") {
    Status written = write_text(options.test.json, json);
    return written ? 0 : fail(written.error());
  }
  fmt::print("{}", json);
  if (fflush(stdout) != 0) return fail({"cannot write to standard output", kExitUsage});
  return 0;
}

}  // namespace

int cmd_learn(const Arguments& arguments) {
  auto options = parse_learn_options(arguments);
  if (!options) return fail(options.error());
  if (!*options) return 0;
  if (Status loaded = load_program((*options)->test); !loaded) return fail(loaded.error());
  (*options)->test.request.campaign.interrupts = watch_interrupts();
  return learn(**options);
}

}  // namespace raddle::cli
