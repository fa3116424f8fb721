// SPDX-License-Identifier: Apache-2.0
//
// Runs per second of a search with partial-order reduction: three threads that increment a number
// under a lock four times each have 34,650 traces, and dpor has to run exactly these. In process
// and under the fork server, on one core. The figures are those that the user gets: with all that
// a campaign does beside running. Engine side: own program of the bench.
#include <fmt/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "rows.h"

namespace raddle::bench {
namespace {

constexpr int kTurns = 4;
constexpr double kTraces = 34'650;
constexpr double kLearningRunsMax = 8;  // made before the places that touch shared data are known
constexpr int kForkRuns = 2000;
constexpr double kRunsWanted = 100'000;

bool known() { return system(RADDLE_BENCH_TOOL " list strategies | grep -q '^dpor '") == 0; }

double rate_in_process(const std::string& program) {
  std::string command = fmt::format("cd {} && {} {} dpor", workplace.string(), program, kTurns);
  FILE* pipe = popen(command.c_str(), "r");
  double runs = 0, spent = 0, steps = 0;
  int complete = 0;
  bool read =
      pipe != nullptr && fscanf(pipe, "%lf %lf %lf %d", &runs, &spent, &steps, &complete) == 4;
  if (pipe == nullptr || pclose(pipe) != 0 || !read) give_up("failed: " + command);
  if (complete == 0 || runs < kTraces || runs > kTraces + kLearningRunsMax)
    give_up(fmt::format("dpor made {:.0f} runs ({}complete) where there are {:.0f} traces", runs,
                        complete != 0 ? "" : "in", kTraces));
  return runs / spent;
}

// The number after the name in a JSON text.
double number_in(const std::string& text, const char* name) {
  std::size_t at = text.find(fmt::format("\"{}\":", name));
  if (at == std::string::npos) give_up(fmt::format("no `{}` in the JSON of raddle test", name));
  return strtod(text.c_str() + text.find(':', at) + 1, nullptr);
}

double rate_forked(const std::string& program) {
  std::string command =
      fmt::format("cd {} && {} test --strategy dpor --schedules {} --quiet --json - {} {}",
                  workplace.string(), RADDLE_BENCH_TOOL, kForkRuns, program, kTurns);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) give_up("failed: " + command);
  std::string text;
  char part[4096];
  while (std::size_t size = fread(part, 1, sizeof part, pipe)) text.append(part, size);
  if (pclose(pipe) != 0) give_up("failed: " + command);
  return number_in(text, "schedules") / number_in(text, "seconds");
}

}  // namespace

void bench_dpor() {
  if (!known()) {
    fmt::print("{:<44} {:>14}\n", "dpor, 3 threads, 4 locked increments each", "n/a");
    return;
  }
  pin_to_one_core();
  std::string program = compile("increments", "-O2");
  double ours = 0, forked = 0;
  // In turns, so that both see the same machine.
  for (int round = 0; round < kRounds; ++round) {
    ours = std::max(ours, rate_in_process(program));
    forked = std::max(forked, rate_forked(program));
  }
  row("dpor, 34,650 traces / what is wanted", fmt::format("{:.0f}/s", ours),
      fmt::format("{:.0f}/s", kRunsWanted), ours / kRunsWanted, 1, true);
  row("  the same / the same test, fork server", fmt::format("{:.0f}/s", ours),
      fmt::format("{:.0f}/s", forked), ours / forked, 20, true);
}

}  // namespace raddle::bench
