// SPDX-License-Identifier: Apache-2.0
//
// Progress in logs: plain lines, rare enough that a build's log stays readable; and the parts that
// all views share.
#include <fmt/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/progress.h"

namespace raddle::cli {
namespace {

void print_line(const std::string& line) {
  fmt::print(stderr, "{}\n", line);
  fflush(stderr);
}

class PlainProgress : public ProgressView {
 public:
  explicit PlainProgress(const Budget& budget) : budget_(budget) {}

  void update(const campaign::Progress& progress) override {
    if (progress.seconds < next_) return;
    print_line("raddle: " + progress_text(progress, budget_));
    next_ = progress.seconds + kInterval;
  }
  void note(const std::string& line) override { print_line(line); }
  void end() override {}

 private:
  static constexpr double kInterval = 5;  // seconds

  Budget budget_;
  double next_ = kInterval;
};

class NoProgress : public ProgressView {
 public:
  void update(const campaign::Progress&) override {}
  void note(const std::string& line) override { print_line(line); }
  void end() override {}
};

// What is left, by the tighter of the limits; empty if there is none or nothing is known yet.
std::string time_left(const campaign::Progress& progress, const Budget& budget) {
  double left = -1;
  if (budget.time_max.count() > 0)
    left = std::max(0.0, static_cast<double>(budget.time_max.count()) / 1000 - progress.seconds);
  if (budget.schedules_max > 0 && progress.runs > 0) {
    std::uint64_t runs_left = budget.schedules_max - std::min(budget.schedules_max, progress.runs);
    double by_runs =
        static_cast<double>(runs_left) * progress.seconds / static_cast<double>(progress.runs);
    left = left < 0 ? by_runs : std::min(left, by_runs);
  }
  return left < 0 ? "" : ", " + seconds_text(std::ceil(left)) + " left";
}

}  // namespace

std::unique_ptr<ProgressView> make_plain_progress(const Budget& budget) {
  return std::make_unique<PlainProgress>(budget);
}

std::unique_ptr<ProgressView> make_no_progress() { return std::make_unique<NoProgress>(); }

std::unique_ptr<ProgressView> make_progress(const Budget& budget, bool quiet) {
  if (quiet) return make_no_progress();
  const char* terminal = getenv("TERM");
  bool capable = isatty(STDERR_FILENO) == 1 && terminal != nullptr &&
                 strcmp(terminal, "dumb") != 0 && getenv("CI") == nullptr;
  return capable ? make_tty_progress(budget) : make_plain_progress(budget);
}

std::string progress_text(const campaign::Progress& progress, const Budget& budget) {
  double rate = progress.seconds > 0 ? static_cast<double>(progress.runs) / progress.seconds : 0;
  std::string text = fmt::format("{} runs, {}/s, {} behaviours", group_digits(progress.runs),
                                 group_digits(static_cast<std::uint64_t>(rate)),
                                 group_digits(progress.behaviours));
  if (progress.findings > 0) text += fmt::format(", {} findings", progress.findings);
  return text + time_left(progress, budget);
}

std::string seconds_text(double seconds) {
  if (seconds < 10 && seconds != std::floor(seconds)) return fmt::format("{:.2f} s", seconds);
  auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace raddle::cli
