// SPDX-License-Identifier: Apache-2.0
//
// TargetProcess: the program under test as a child of the engine. Engine side.
//
// Invariants: the process is the leader of its own group (a Ctrl-C at the terminal reaches only the
// engine), dies with the engine, and is killed and reaped when the object ends. All descriptors of
// the engine are close-on-exec; the program inherits its standard three and the three of the
// control protocol, at numbers from 100 up where programs do not look.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/result.h"
#include "launch/target_start.h"

namespace raddle::launch {

class TargetProcess {
 public:
  // Starts the program under control. Only a failure of the system or of exec(2) is an error here.
  static Result<TargetProcess> spawn(const Program& program, const SpawnFiles& files);

  TargetProcess(TargetProcess&& other) noexcept { *this = std::move(other); }
  TargetProcess& operator=(TargetProcess&& other) noexcept;
  ~TargetProcess() { kill_group(); }

  pid_t pid() const { return pid_; }
  // A descriptor that becomes readable when the process ends.
  int pidfd() const { return pidfd_.get(); }

  // The wait status, once the process has ended. Never blocks; may be asked again.
  std::optional<int> ended();
  // Kills the process and what it started, and reaps it.
  void kill_group();

 private:
  TargetProcess() = default;

  pid_t pid_ = -1;
  UniqueFd pidfd_;
  std::optional<int> status_;
};

}  // namespace raddle::launch
