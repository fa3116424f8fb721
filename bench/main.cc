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
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

// The peak of the memory of the program, or of one of its processes, in kilobytes.
long run_and_measure(const std::vector<std::string>& words) {
  pid_t child = fork();
  if (child == 0) {
    personality(ADDR_NO_RANDOMIZE);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0)
    give_up(fmt::format("failed: {}", words[0]));
  return usage.ru_maxrss;
}

// A kernel built three ways. Everything runs on one core: control has no other.
struct Kernel {
  std::string name;
  std::vector<std::string> arguments;
  std::string ours, stock, native;

  Kernel(const std::string& kernel, std::vector<std::string> words)
      : name(kernel), arguments(std::move(words)), ours(compile(kernel)) {
    std::string source = fmt::format("{}/{}.cpp", RADDLE_BENCH_PROGRAMS, kernel);
    stock = workplace / (kernel + "_tsan");
    native = workplace / (kernel + "_native");
    shell(fmt::format("g++ -std=c++20 -O1 -g -fsanitize=thread {} -o {}", source, stock));
    shell(fmt::format("g++ -std=c++20 -O1 -g {} -o {} -pthread", source, native));
  }
  // Seconds of the best round; *peak_kb is the peak of its memory.
  double peer(const std::string& program, long* peak_kb) const {
    return best([&] {
      return seconds([&] { *peak_kb = run_and_measure({program, arguments[0], arguments[1]}); });
    });
  }
};

void bench_no_points(const Kernel& kernel) {
  long ignored = 0;
  double tsan_seconds = kernel.peer(kernel.stock, &ignored);
  double native_seconds = kernel.peer(kernel.native, &ignored);
  auto executor = start({kernel.ours, kernel.arguments[0], kernel.arguments[1]});
  facts::Plan sync = plan("nonpreemptive", wire::Points::sync);
  double control = best([&] { return seconds([&] { run(*executor, sync); }); });
  row(fmt::format("no point hit ({}) / stock TSan, one core", kernel.name),
      fmt::format("{:.0f} ms", control * 1e3), fmt::format("{:.0f} ms", tsan_seconds * 1e3),
      control / tsan_seconds, 0.5, false);
  fmt::print("{:<44} {:>14} {:>16} {:>8.2f}\n", "  the same / native, one core",
             fmt::format("{:.0f} ms", control * 1e3),
             fmt::format("{:.0f} ms", native_seconds * 1e3), control / native_seconds);
}

// Control with the race detector and the heap oracle, against the detector of the compiler.
void bench_detectors(const Kernel& kernel) {
  long tsan_kb = 0;
  double tsan_seconds = kernel.peer(kernel.stock, &tsan_kb);
  auto executor = start({kernel.ours, kernel.arguments[0], kernel.arguments[1]});
  facts::Plan races = plan("nonpreemptive", wire::Points::sync);
  races.header.races = 1;
  double control = best([&] { return seconds([&] { run(*executor, races); }); });
  row(fmt::format("races and heap checked ({}) / stock TSan", kernel.name),
      fmt::format("{:.0f} ms", control * 1e3), fmt::format("{:.0f} ms", tsan_seconds * 1e3),
      control / tsan_seconds, 1.0, false);
  // The default: shared data is looked for, too, so that it can be a point in the next run.
  facts::Plan shared = plan("nonpreemptive", wire::Points::shared);
  shared.header.races = 1;
  double looking = best([&] { return seconds([&] { run(*executor, shared); }); });
  fmt::print("{:<44} {:>14} {:>16} {:>8.2f}\n", "  the same, and shared data looked for",
             fmt::format("{:.0f} ms", looking * 1e3), fmt::format("{:.0f} ms", tsan_seconds * 1e3),
             looking / tsan_seconds);
  executor.reset();
  std::string out = workplace / "out";
  long ours_kb =
      run_and_measure({RADDLE_BENCH_TOOL, "test", "--schedules", "1", "--points", "sync", "--quiet",
                       "--out", out, kernel.ours, kernel.arguments[0], kernel.arguments[1]});
  row(fmt::format("  its memory ({}) / stock TSan", kernel.name),
      fmt::format("{} MB", ours_kb >> 10), fmt::format("{} MB", tsan_kb >> 10),
      static_cast<double>(ours_kb) / static_cast<double>(tsan_kb), 1.0, false);
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
    Kernel radix("radix", {"500000", "2"}), fft("fft", {"16", "2"});
    bench_no_points(radix);
    bench_detectors(radix);
    bench_detectors(fft);
  }
  std::filesystem::remove_all(workplace);
  return all_met ? 0 : 1;
}
