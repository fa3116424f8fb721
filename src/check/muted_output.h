// SPDX-License-Identifier: Apache-2.0
//
// MutedOutput: while it lives, what the process prints goes nowhere. Engine side, in the program's
// process. A test's output repeated a million times helps nobody; that of a failing run is kept
// with its finding.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "launch/unique_fd.h"

namespace raddle::check {

class MutedOutput {
 public:
  MutedOutput() : output_(keep(STDOUT_FILENO)), error_(keep(STDERR_FILENO)) {
    fflush(nullptr);
    launch::UniqueFd nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (!nowhere.valid()) return;
    if (output_.valid()) dup2(nowhere.get(), STDOUT_FILENO);
    if (error_.valid()) dup2(nowhere.get(), STDERR_FILENO);
  }
  ~MutedOutput() {
    fflush(nullptr);
    if (output_.valid()) dup2(output_.get(), STDOUT_FILENO);
    if (error_.valid()) dup2(error_.get(), STDERR_FILENO);
  }
  MutedOutput(const MutedOutput&) = delete;
  MutedOutput& operator=(const MutedOutput&) = delete;

 private:
  static launch::UniqueFd keep(int file) {
    // High up, since tests may close what they find below.
    int high = fcntl(file, F_DUPFD_CLOEXEC, 2000);
    return launch::UniqueFd(high >= 0 ? high : fcntl(file, F_DUPFD_CLOEXEC, 3));
  }
  launch::UniqueFd output_, error_;
};

}  // namespace raddle::check
