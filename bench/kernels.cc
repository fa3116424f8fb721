// SPDX-License-Identifier: Apache-2.0
//
// What looking costs: two kernels under control, with ever more analyses, against ThreadSanitizer
// and against the kernel alone. Everything is on one core, the engine too.
//
// The papers' own tools, for the bars: Maple's profiler slows programs down 50 times on average
// (OOPSLA 2012, section 6.4), AVIO-S 25 times (Lu 2008, table 4.6).
#include <fmt/core.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/access_criteria.h"
#include "analysis/avio.h"
#include "analysis/happens_before.h"
#include "analysis/idioms.h"
#include "analysis/lock_order.h"
#include "rows.h"

namespace raddle::bench {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.1f} ms", seconds * 1e3); }

constexpr double kMapleSlowdown = 50, kAvioSlowdown = 25;

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
  row(fmt::format("no point hit ({}) / stock TSan, one core", kernel.name), milliseconds(control),
      milliseconds(tsan_seconds), control / tsan_seconds, 0.5, false);
  note("  the same / native, one core", milliseconds(control), milliseconds(native_seconds),
       control / native_seconds);
}

// Control with the race detector and the heap oracle, against the detector of the compiler.
void bench_detectors(const Kernel& kernel) {
  long tsan_kb = 0;
  double tsan_seconds = kernel.peer(kernel.stock, &tsan_kb);
  auto executor = start({kernel.ours, kernel.arguments[0], kernel.arguments[1]});
  facts::Plan races = plan("nonpreemptive", wire::Points::sync);
  races.header.races = 1;
  double control = best([&] { return seconds([&] { run(*executor, races); }); });
  row(fmt::format("races and heap checked ({}) / stock TSan", kernel.name), milliseconds(control),
      milliseconds(tsan_seconds), control / tsan_seconds, 1.0, false);
  executor.reset();
  std::string out = workplace / "out";
  long ours_kb =
      run_and_measure({RADDLE_BENCH_TOOL, "test", "--schedules", "1", "--points", "sync", "--quiet",
                       "--out", out, kernel.ours, kernel.arguments[0], kernel.arguments[1]});
  row(fmt::format("  its memory ({}) / stock TSan", kernel.name),
      fmt::format("{} MB", ours_kb >> 10), fmt::format("{} MB", tsan_kb >> 10),
      static_cast<double>(ours_kb) / static_cast<double>(tsan_kb), 1.0, false);
}

// Looks at the events of a run.
using Look = std::function<void(const facts::Run&)>;

// For everything that has the shape of an analysis.
template <class Observer>
Look look_with(Observer& observer) {
  return [&observer](const facts::Run& run) {
    observer.begin();
    for (const wire::Event& event : run.events) observer.on_event(event);
  };
}

// The default way of a run, in which the accesses to shared data are events, and the analyses of
// these, one by one.
void bench_analyses(const Kernel& kernel) {
  long ignored = 0;
  double tsan_seconds = kernel.peer(kernel.stock, &ignored);
  double native_seconds = kernel.peer(kernel.native, &ignored);
  auto executor = start({kernel.ours, kernel.arguments[0], kernel.arguments[1]});
  facts::Plan shared = plan("nonpreemptive", wire::Points::shared);
  shared.header.races = 1;
  std::size_t events = 0;
  auto looking = [&](const Look& look) {
    return best([&] {
      return seconds([&] {
        facts::Run seen = run(*executor, shared);
        events = seen.events.size();
        if (look) look(seen);
      });
    });
  };
  double bare = looking(nullptr);
  analysis::IdiomObserver idioms;
  double observed = looking(look_with(idioms));
  row(fmt::format("races, heap, idioms ({}) / stock TSan", kernel.name), milliseconds(observed),
      milliseconds(tsan_seconds), observed / tsan_seconds, 1.2, false);
  row("  the same / native; Maple's profiler: 50", milliseconds(observed),
      milliseconds(native_seconds), observed / native_seconds, kMapleSlowdown, false);
  analysis::Avio avio;
  double invariants = looking(look_with(avio));
  row("  races, heap, AVIO-S / native; the paper: 25", milliseconds(invariants),
      milliseconds(native_seconds), invariants / native_seconds, kAvioSlowdown, false);
  note(fmt::format("  shared data looked for, {} events", events), milliseconds(bare),
       milliseconds(tsan_seconds), bare / tsan_seconds);

  facts::Run seen = run(*executor, shared);
  auto apart = [&](const char* name, const Look& look) {
    double spent = best([&] { return seconds([&] { look(seen); }); });
    note(fmt::format("    {} apart", name), milliseconds(spent), milliseconds(tsan_seconds),
         spent / tsan_seconds);
  };
  analysis::HappensBefore happens_before;
  analysis::LockOrder lock_order;
  analysis::AccessCriteria criteria;
  apart("happens-before", look_with(happens_before));
  apart("lock-order", look_with(lock_order));
  apart("idioms", look_with(idioms));
  apart("AVIO-S", look_with(avio));
  apart("the seven criteria", look_with(criteria));
}

// What the observer keeps of a run does not grow with it.
void bench_memory() {
  auto entries = [](const char* rounds) {
    std::string program = compile("handover");
    auto executor = start({program, rounds});
    facts::Plan shared = plan("nonpreemptive", wire::Points::shared);
    facts::Run seen = run(*executor, shared);
    analysis::IdiomObserver idioms;
    look_with(idioms)(seen);
    return std::pair(idioms.entries(), seen.events.size());
  };
  auto [few, short_run] = entries("1000");
  auto [many, long_run] = entries("100000");
  row(fmt::format("entries of idioms, {} events / {} events", long_run, short_run),
      std::to_string(many), std::to_string(few),
      static_cast<double>(many) / static_cast<double>(few), 1.0, false);
}

}  // namespace

void bench_kernels() {
  Kernel radix("radix", {"500000", "2"}), fft("fft", {"16", "2"});
  bench_no_points(radix);
  for (const Kernel* kernel : {&radix, &fft}) {
    bench_detectors(*kernel);
    bench_analyses(*kernel);
  }
  bench_memory();
}

}  // namespace raddle::bench
