// SPDX-License-Identifier: Apache-2.0
//
// See rows.h.
#include "rows.h"

#include <fmt/core.h>
#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>

namespace raddle::bench {

std::filesystem::path workplace;
bool all_met = true;

void give_up(const std::string& message) {
  fmt::print(stderr, "raddle_bench: {}\n", message);
  exit(2);
}

void shell(const std::string& command) {
  if (system(command.c_str()) != 0) give_up("failed: " + command);
}

std::string compile(const std::string& name, const std::string& level, const std::string& variant) {
  std::string out = workplace / (name + variant);
  shell(fmt::format("{} c++ -std=c++20 {} -g {}/{}.cpp -o {}", RADDLE_BENCH_TOOL, level,
                    RADDLE_BENCH_PROGRAMS, name, out));
  return out;
}

double seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double best(const std::function<double()>& measure, int rounds) {
  double least = measure();
  for (int i = 1; i < rounds; ++i) least = std::min(least, measure());
  return least;
}

std::unique_ptr<launch::Executor> start(std::vector<std::string> argv) {
  auto program = launch::load_program(std::move(argv), std::filesystem::current_path(), "");
  if (!program) give_up(program.error().message);
  launch::ExecutorOptions options;
  options.max_steps = 10'000'000;
  auto executor = launch::start_executor(*program, options);
  if (!executor) give_up(executor.error().message);
  return std::move(*executor);
}

facts::Plan plan(const std::string& policy, wire::Points points, std::uint64_t seed) {
  facts::Plan plan;
  policy.copy(plan.header.policy, wire::kPolicyNameMax - 1);
  plan.header.seed = seed;
  plan.header.max_steps = 10'000'000;
  plan.header.points = points;
  plan.header.races = 0;
  return plan;
}

facts::Run run(launch::Executor& executor, const facts::Plan& plan) {
  auto run = executor.run(plan);
  if (!run) give_up(run.error().message);
  if (run->verdict.kind != wire::VerdictKind::none || run->wait_status != 0)
    give_up("a benchmark program failed");
  return *run;
}

void row(const std::string& what, const std::string& ours, const std::string& peer, double ratio,
         double bar, bool at_least) {
  bool met = at_least ? ratio >= bar : ratio <= bar;
  all_met = all_met && met;
  fmt::print("{:<44} {:>14} {:>16} {:>8.2f}  {} {:<5} {}\n", what, ours, peer, ratio,
             at_least ? "≥" : "≤", bar, met ? "met" : "MISSED");
}

void note(const std::string& what, const std::string& ours, const std::string& peer, double ratio) {
  fmt::print("{:<44} {:>14} {:>16} {:>8.2f}\n", what, ours, peer, ratio);
}

void pin_to_one_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
}

}  // namespace raddle::bench
