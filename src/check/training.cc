// SPDX-License-Identifier: Apache-2.0
//
// See training.h. Engine side, in the program's process.
#include "check/training.h"

#include <fmt/core.h>

namespace raddle::check {
namespace {

void note_learned(const outcome::Learned& learned, const outcome::LearningOptions& options,
                  const std::string& path, TestReporter& reporter) {
  auto plural = [](std::uint64_t count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  std::string text = fmt::format("learned {} of atomicity from {}",
                                 plural(learned.training.invariants(), "invariant"),
                                 plural(learned.training.runs(), "run"));
  if (learned.failed > 0)
    text +=
        fmt::format("; {} failed and {} left out (the first: {})", plural(learned.failed, "run"),
                    learned.failed == 1 ? "was" : "were", learned.first_failure);
  if (!learned.stable)
    text += fmt::format(
        "; not stable: only the last {} of {} changed nothing, more runs "
        "(RADDLE_TIME, RADDLE_SCHEDULES) will tell more",
        learned.training.unchanged(), options.stable);
  reporter.on_note(fmt::format("{}; kept in {}", text, path));
}

}  // namespace

Result<outcome::Learned> learn(const session::Request& request, InProcessExecutor& executor,
                               TestReporter& reporter) {
  session::Training training(request, {});
  if (Status usable = training.open(); !usable) return usable.error();
  auto learned = training.learn(executor);
  if (!learned) return learned;
  if (learned->training.runs() == 0)
    return Error{fmt::format("all {} runs failed (the first: {}): nothing can be learned from "
                             "them; without RADDLE_LEARN the test says more",
                             learned->failed, learned->first_failure),
                 kExitUsage};
  note_learned(*learned, training.options(), training.path(), reporter);
  return learned;
}

}  // namespace raddle::check
