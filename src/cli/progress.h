// SPDX-License-Identifier: Apache-2.0
//
// What a campaign shows of itself while it runs. Engine side.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "campaign/campaign.h"
#include "report/numbers.h"

namespace raddle::cli {

using campaign::Budget;
using report::group_digits;

class ProgressView {
 public:
  virtual ~ProgressView() = default;

  // After every run; decides itself how often to show something.
  virtual void update(const campaign::Progress& progress) = 0;
  // A line of text that has to stay.
  virtual void note(const std::string& line) = 0;
  // The campaign is over: leave the terminal clean.
  virtual void end() = 0;
};

// One line on standard error, rewritten.
std::unique_ptr<ProgressView> make_tty_progress(const Budget& budget);
// A line on standard error every few seconds, for logs.
std::unique_ptr<ProgressView> make_plain_progress(const Budget& budget);
// Notes only.
std::unique_ptr<ProgressView> make_no_progress();

// The tty view if standard error is a terminal that understands it, and not in CI.
std::unique_ptr<ProgressView> make_progress(const Budget& budget, bool quiet);

// "1,234 runs, 2,101/s, 87 behaviours, 8 s left"
std::string progress_text(const campaign::Progress& progress, const Budget& budget);

// "0.42 s", "12 s", "3 min 5 s".
std::string seconds_text(double seconds);

}  // namespace raddle::cli
