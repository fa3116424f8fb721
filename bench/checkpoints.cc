// SPDX-License-Identifier: Apache-2.0
//
// Runs of programs that take long to get to their choices: continued from checkpoints, against
// repeated from main.
//
// The bar is for whole campaigns of the tool: 1,000 schedules of a program that starts up for a
// second, in 3 s and one start-up. Below it is what the decision between the two rests on: what a
// run costs by the length of its start-up, with checkpoints off, by measurement, and forced.
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>

#include "rows.h"

namespace raddle::bench {
namespace {

constexpr int kSchedules = 1000;
constexpr int kRuns = 200;

double campaign_seconds(const std::string& program, const std::string& strategy) {
  std::string out = workplace / "checkpoints";
  return seconds([&] {
    shell(fmt::format("{} test --quiet --strategy {} --schedules {} --out {} {} 1000 >{}.log 2>&1",
                      RADDLE_BENCH_TOOL, strategy, kSchedules, out, program, out));
  });
}

// Milliseconds of a run, the start-up included.
double run_ms(const std::string& program, const std::string& start_ms, const char* use) {
  setenv("RADDLE_CHECKPOINTS", use, 1);
  auto executor = start({program, start_ms});
  unsetenv("RADDLE_CHECKPOINTS");
  std::uint64_t seed = 0;
  run(*executor, plan("random", wire::Points::sync, seed));
  return best([&] {
    double spent = seconds([&] {
      for (int i = 0; i < kRuns; ++i) run(*executor, plan("random", wire::Points::sync, ++seed));
    });
    return spent / kRuns * 1e3;
  });
}

// Seconds of an exhaustive search of which every step takes a while.
double search_seconds(const std::string& program, const char* use) {
  std::string out = workplace / "search";
  return seconds([&] {
    shell(
        fmt::format("RADDLE_CHECKPOINTS={} {} test --quiet --strategy dfs --points sync "
                    "--schedules 100 --out {} {} 0 5 >{}.log 2>&1",
                    use, RADDLE_BENCH_TOOL, out, program, out));
  });
}

}  // namespace

void bench_checkpoints() {
  std::string program = compile("slow_start");
  for (const char* strategy : {"random", "pct", "surw", "dfs", "auto"}) {
    double spent = best([&] { return campaign_seconds(program, strategy); });
    row(fmt::format("1,000 schedules, start-up 1 s, {} / 3 s + 1 s", strategy),
        fmt::format("{:.2f} s", spent), "4.00 s", spent / 4, 1, false);
  }
  for (const char* start_ms : {"0", "0.5", "1", "2", "5"})
    fmt::print("{:<44} {:>14} {:>16} {:>10}\n",
               fmt::format("  a run, start-up {} ms: auto, off, forced", start_ms),
               fmt::format("{:.2f} ms", run_ms(program, start_ms, "auto")),
               fmt::format("{:.2f} ms", run_ms(program, start_ms, "off")),
               fmt::format("{:.2f} ms", run_ms(program, start_ms, "force")));
  double with = search_seconds(program, "auto"), without = search_seconds(program, "off");
  fmt::print("{:<44} {:>14} {:>16} {:>8.2f}\n", "  dfs, 100 schedules, 5 ms before every lock",
             fmt::format("{:.2f} s", with), fmt::format("{:.2f} s", without), with / without);
}

}  // namespace raddle::bench
