// SPDX-License-Identifier: Apache-2.0
//
// Runs per second of a unit test, and of the same test as a whole program under the fork server. On
// one core.
//
// Figures are those that raddle::check gives to the user, schedules and seconds: with all that a
// campaign does beside running. Its beginning (two forks, runs with events) takes some
// milliseconds, in which it could make thousands of runs, and dfs is through with a small test
// after thousands: so the bars are for what follows, a long campaign minus a short one. What the
// whole of the long one came to stands below.
#include <fmt/core.h>
#include <stdio.h>

#include <algorithm>

#include "rows.h"

namespace raddle::bench {
namespace {

constexpr int kCheckRounds = 5;
constexpr int kRuns = 200'000;
constexpr int kFirstRuns = 32;
constexpr int kForkRuns = 1000;

struct Campaign {
  double runs = 0, seconds = 1e9, steps = 0;
  double rate() const { return runs / seconds; }
};

// Makes *best the better of the two.
void measure(const std::string& program, int turns, const std::string& strategy, int runs,
             Campaign* best) {
  std::string command =
      fmt::format("cd {} && {} {} {} {}", workplace.string(), program, turns, strategy, runs);
  FILE* pipe = popen(command.c_str(), "r");
  Campaign made;
  bool read =
      pipe != nullptr && fscanf(pipe, "%lf %lf %lf", &made.runs, &made.seconds, &made.steps) == 3;
  if (pipe == nullptr || pclose(pipe) != 0 || !read) give_up("failed: " + command);
  if (made.seconds < best->seconds) *best = made;
}

// Of one strategy.
struct Figures {
  const char* strategy;
  Campaign first, all;

  void measure_once(const std::string& program, int turns) {
    measure(program, turns, strategy, kFirstRuns, &first);
    measure(program, turns, strategy, kRuns, &all);
  }
  double rate() const { return (all.runs - first.runs) / (all.seconds - first.seconds); }
  void print(double bar) const {
    row(fmt::format("check, {}, {:.0f} steps / what is wanted", strategy, all.steps / all.runs),
        fmt::format("{:.0f}/s", rate()), fmt::format("{:.0f}/s", bar), rate() / bar, 1, true);
    fmt::print("{:<44} {:>14}\n", fmt::format("  a whole campaign of {:.0f} runs", all.runs),
               fmt::format("{:.0f}/s", all.rate()));
  }
};

double fork_rate(launch::Executor& executor) {
  double spent = seconds([&] {
    for (int i = 0; i < kForkRuns; ++i) {
      facts::Plan next = plan("random", wire::Points::shared, static_cast<std::uint64_t>(i));
      next.header.races = 1;  // as raddle::check does
      run(executor, next);
    }
  });
  return kForkRuns / spent;
}

void bench_test(const std::string& program, int turns, double bar) {
  auto executor = start({program, std::to_string(turns)});
  Figures random{"random", {}, {}}, dfs{"dfs", {}, {}};
  double forked = 0;
  // In turns, so that all of them see the same machine.
  for (int round = 0; round < kCheckRounds; ++round) {
    random.measure_once(program, turns);
    dfs.measure_once(program, turns);
    forked = std::max(forked, fork_rate(*executor));
  }
  random.print(bar);
  dfs.print(bar);
  row("  random / the same test, fork server", fmt::format("{:.0f}/s", random.rate()),
      fmt::format("{:.0f}/s", forked), random.rate() / forked, 50, true);
}

}  // namespace

void bench_check() {
  pin_to_one_core();
  std::string program = compile("check", "-O2");
  bench_test(program, 4, 1'000'000);
  bench_test(program, 14, 400'000);
}

}  // namespace raddle::bench
