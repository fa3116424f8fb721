// SPDX-License-Identifier: Apache-2.0
//
// Progress on a terminal: one line, rewritten at most ten times a second.
#include <fmt/core.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/progress.h"

namespace raddle::cli {
namespace {

class TtyProgress : public ProgressView {
 public:
  explicit TtyProgress(const Budget& budget) : budget_(budget) {}
  ~TtyProgress() override { end(); }

  void update(const campaign::Progress& progress) override {
    if (progress.seconds < next_) return;
    next_ = progress.seconds + kInterval;
    std::string line = "raddle: " + progress_text(progress, budget_);
    // A line that wraps could not be rewritten.
    winsize size = {};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
        line.size() >= size.ws_col)
      line.resize(size.ws_col - 1u);
    fmt::print(stderr, "\r{}\x1b[K", line);
    fflush(stderr);
    shown_ = true;
  }

  void note(const std::string& line) override {
    end();
    fmt::print(stderr, "{}\n", line);
    fflush(stderr);
  }

  void end() override {
    if (!shown_) return;
    fmt::print(stderr, "\r\x1b[K");
    fflush(stderr);
    shown_ = false;
  }

 private:
  static constexpr double kInterval = 0.1;  // seconds

  Budget budget_;
  double next_ = kInterval;
  bool shown_ = false;
};

}  // namespace

std::unique_ptr<ProgressView> make_tty_progress(const Budget& budget) {
  return std::make_unique<TtyProgress>(budget);
}

}  // namespace raddle::cli
