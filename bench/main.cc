// SPDX-License-Identifier: Apache-2.0
//
// raddle_bench: what control costs, as ratios of figures measured in one run on one machine. Each
// row names its bar; the exit code is 1 if a bar is missed, so that a person sees it at once.
//
// With an argument (switch, fork, checkpoints, jobs, check, dpor, kernels) only that group of rows.
//
// Programs are compiled with the tool itself (bench/programs). Everything that is compared is
// pinned to one core where the row says so, and the best of several rounds counts: noise only ever
// adds.
#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "futex_handoff.h"
#include "rows.h"

namespace raddle::bench {
namespace {

// Nanoseconds of a step: a long run minus an empty one, over the difference in steps. Long means
// some milliseconds, but short enough that the engine does not read along: how fast it does is
// another question.
double step_ns(const std::string& program, int threads, const std::string& policy) {
  auto measure = [&](int turns, std::uint32_t* steps) {
    auto executor = start({program, std::to_string(threads), std::to_string(turns)});
    return best(
        [&] {
          return seconds([&] { *steps = run(*executor, plan(policy, wire::Points::sync)).steps; });
        },
        30);
  };
  std::uint32_t long_steps = 0, short_steps = 0;
  constexpr int kSteps = 60'000;
  double long_seconds = measure(kSteps / threads, &long_steps);
  double short_seconds = measure(1, &short_steps);
  return (long_seconds - short_seconds) * 1e9 / (long_steps - short_steps);
}

void bench_switch(const std::string& points) {
  double handoff = best([] { return std::min(futex_handoff_ns(true), futex_handoff_ns(false)); });
  // Round-robin switches at every point: each step of the two threads is a switch.
  double ours = step_ns(points, 2, "round-robin");
  row("switch with scheduler, events / futex hand-off", fmt::format("{:.0f} ns", ours),
      fmt::format("{:.0f} ns", handoff), handoff / ours, 50, true);
  double point = step_ns(points, 3, "random");
  fmt::print("{:<44} {:>14}\n", "a point at random, 3 threads", fmt::format("{:.0f} ns", point));
}

void bench_fork_server(const std::string& tiny, const char* heap_mb, const std::string& what,
                       int rounds) {
  if (heap_mb != nullptr) setenv("TINY_HEAP_MB", heap_mb, 1);
  std::string bare = fmt::format("{} --bare {}", tiny, rounds);
  auto executor = start({tiny});
  double floor = 0, ours = 0;
  // Alternating, so that both see the same machine.
  for (int round = 0; round < kRounds; ++round) {
    FILE* pipe = popen(bare.c_str(), "r");
    double rate = 0;
    if (pipe == nullptr || fscanf(pipe, "%lf", &rate) != 1) give_up("failed: " + bare);
    pclose(pipe);
    floor = std::max(floor, rate);
    double spent = seconds([&] {
      for (int i = 0; i < rounds; ++i)
        run(*executor, plan("random", wire::Points::shared, static_cast<std::uint64_t>(i)));
    });
    ours = std::max(ours, rounds / spent);
  }
  row(what, fmt::format("{:.0f}/s", ours), fmt::format("{:.0f}/s", floor), ours / floor, 0.5, true);
  unsetenv("TINY_HEAP_MB");
}

}  // namespace
}  // namespace raddle::bench

int main(int argc, char** argv) {
  using namespace raddle::bench;
  std::string only = argc > 1 ? argv[1] : "";
  auto wanted = [&](const char* group) { return only.empty() || only == group; };
  char name[] = "/tmp/raddle_bench_XXXXXX";
  if (mkdtemp(name) == nullptr) give_up("cannot make a temporary directory");
  workplace = name;
  setenv("RADDLE_RUNTIME_DIR", RADDLE_BENCH_RUNTIME, 1);
  fmt::print("{:<44} {:>14} {:>16} {:>8}  {}\n", "", "raddle", "peer", "ratio", "bar");
  if (wanted("switch")) bench_switch(compile("points"));
  if (wanted("fork")) {
    std::string tiny = compile("tiny");
    bench_fork_server(tiny, nullptr, "fork server / bare fork+exit, tiny", 2000);
    bench_fork_server(tiny, "100", "fork server / bare fork+exit, 100 MB heap", 200);
  }
  if (wanted("checkpoints")) bench_checkpoints();
  if (wanted("jobs")) bench_jobs();
  if (wanted("check")) bench_check();
  if (wanted("dpor")) bench_dpor();
  if (wanted("kernels")) {
    pin_to_one_core();
    bench_kernels();
  }
  std::filesystem::remove_all(workplace);
  return all_met ? 0 : 1;
}
