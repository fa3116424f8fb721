// SPDX-License-Identifier: Apache-2.0
//
// TargetStart: everything that is needed to turn a process into the program under test. Engine
// side, and in whatever process starts the program: a fork of the engine, or (below a debugger,
// which insists on forking itself) a raddle that was given the record of it.
//
// Invariant: the program sees the same arguments, environment and descriptors either way, so that
// its addresses are the same.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "launch/program.h"
#include "launch/unique_fd.h"

namespace raddle::launch {

struct SpawnFiles {
  int shared = -1;   // the memory shared with the runtime
  int command = -1;  // the program's end of the command pipe
  int reply = -1;    // its end of the reply pipe
  int output = -1;
  int error = -1;
  // Resolve all symbols at the start, not again in every forked run.
  bool bind_now = false;
};

struct TargetStart {
  std::string path;
  std::string name;  // for messages
  std::string directory;
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // the last one is completed by become_target()
  SpawnFiles files;
  int input = -1;
};

// Opens the program's input, which `input` then owns.
Result<TargetStart> make_start(const Program& program, const SpawnFiles& files, UniqueFd& input);

// The same as bytes, and back.
std::string start_record(const TargetStart& start);
Result<TargetStart> parse_start_record(const std::string& record);

// As execve(2) wants it; refers to the start.
struct StartPointers {
  explicit StartPointers(TargetStart& start);
  std::vector<char*> argv;
  std::vector<char*> environment;
};

struct StartFailure {
  int step;   // see start_error()
  int error;  // errno
};

// Turns this process into the program; returns only if that failed. Makes system calls only, so
// that it may be called between fork and exec. The program dies with its parent; if the parent is
// not `parent` any more, the process ends at once (0: any will do).
StartFailure become_target(const TargetStart& start, const StartPointers& pointers, pid_t parent);

Error start_error(const TargetStart& start, const StartFailure& failure);

}  // namespace raddle::launch
