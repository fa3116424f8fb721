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
//
// The bars are about points, whatever their kind, so each holds for tests with a mutex only and for
// tests with atomics too. A test with one mutex and 16 points has 22 interleavings, which are
// enumerated in less time than the clock can tell: there dfs is measured on a test whose threads
// have a mutex each (bench/programs/check.cpp), with as many points and thousands of interleavings.
//
// What it costs that global variables are put back after each run (Options::restore) is measured
// with the shortest of these tests, which leave none changed, with one that does, and in a program
// with so many variables that they are not all compared.
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

struct Test {
  const char* body;
  int turns;
  const char* environment = "";
};

// Makes *best the better of the two.
void measure(const std::string& program, const Test& test, const char* strategy, int runs,
             Campaign* best) {
  std::string command =
      fmt::format("cd {} && {} {} {} {} {} {}", workplace.string(), test.environment, program,
                  test.body, test.turns, strategy, runs);
  FILE* pipe = popen(command.c_str(), "r");
  Campaign made;
  bool read =
      pipe != nullptr && fscanf(pipe, "%lf %lf %lf", &made.runs, &made.seconds, &made.steps) == 3;
  if (pipe == nullptr || pclose(pipe) != 0 || !read) give_up("failed: " + command);
  if (made.seconds < best->seconds) *best = made;
}

// Of one test and strategy.
struct Figures {
  Test test;
  const char* strategy;
  Campaign first, all;

  void measure_once(const std::string& program) {
    measure(program, test, strategy, kFirstRuns, &first);
    measure(program, test, strategy, kRuns, &all);
  }
  double rate() const { return (all.runs - first.runs) / (all.seconds - first.seconds); }
  void print(double bar) const {
    row(fmt::format("check, {}, {}, {:.0f} steps / wanted", test.body, strategy,
                    all.steps / all.runs),
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

// One size: the same bar for all of its tests.
void bench_size(const std::string& program, const Test& with_mutex, const Test& for_dfs,
                const Test& mixed, double bar) {
  auto executor = start({program, mixed.body, std::to_string(mixed.turns)});
  Figures figures[] = {{with_mutex, "random", {}, {}},
                       {for_dfs, "dfs", {}, {}},
                       {mixed, "random", {}, {}},
                       {mixed, "dfs", {}, {}}};
  double forked = 0;
  // In turns, so that all of them see the same machine.
  for (int round = 0; round < kCheckRounds; ++round) {
    for (Figures& each : figures) each.measure_once(program);
    forked = std::max(forked, fork_rate(*executor));
  }
  for (const Figures& each : figures) each.print(bar);
  double in_place = figures[2].rate();
  row("  mixed, random / the same, fork server", fmt::format("{:.0f}/s", in_place),
      fmt::format("{:.0f}/s", forked), in_place / forked, 50, true);
}

// The same test with and without variables being put back.
void bench_restore(const std::string& program, const std::string& what, const Test& test,
                   double bar) {
  Figures with{test, "random", {}, {}};
  Figures without{{test.body, test.turns, "RADDLE_RESTORE=0"}, "random", {}, {}};
  for (int round = 0; round < kCheckRounds; ++round) {
    with.measure_once(program);
    without.measure_once(program);
  }
  std::string title = fmt::format("check, {}{}: restore / without", test.body, what);
  std::string ours = fmt::format("{:.0f}/s", with.rate());
  std::string peer = fmt::format("{:.0f}/s", without.rate());
  double ratio = with.rate() / without.rate();
  if (bar > 0)
    row(title, ours, peer, ratio, bar, true);
  else
    note(title, ours, peer, ratio);
}

}  // namespace

void bench_check() {
  pin_to_one_core();
  std::string program = compile("check", "-O2");
  bench_size(program, {"mutex", 2}, {"stripes", 4}, {"mixed", 4}, 1'000'000);
  bench_size(program, {"mutex", 7}, {"mutex", 7}, {"mixed", 14}, 400'000);
  bench_restore(program, "", {"mutex", 2}, 0.9);
  bench_restore(program, "", {"mixed", 4}, 0.9);
  bench_restore(program, "", {"globals", 2}, 0);
  std::string large = compile("check", "-O2 -DLARGE_DATA=1000000", "_large");
  bench_restore(large, ", 1 MB of data", {"mutex", 2}, 0);
  bench_restore(large, ", 1 MB of data", {"globals", 2}, 0);
}

}  // namespace raddle::bench
