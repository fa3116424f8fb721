// SPDX-License-Identifier: Apache-2.0
//
// What `raddle doctor` looks at: facts about the machine and about a program, each judged, with
// advice where there is something to do. Engine side. Nothing of the program is run.
#pragma once

#include <string>
#include <vector>

#include "launch/program.h"

namespace raddle::cli {

enum class Level {
  ok,
  note,     // good to know
  warning,  // raddle sees or can do less than it could
  blocker,  // cannot be run under control
};

constexpr const char* level_word(Level level) {
  constexpr const char* kWords[] = {"ok", "note", "warning", "blocker"};
  return kWords[static_cast<unsigned>(level)];
}

struct Check {
  Level level;
  std::string topic;  // a word or two
  std::string fact;
  std::string advice;  // empty: nothing to do
};
using Checks = std::vector<Check>;

Checks check_system();

// Requires: `program` was loaded, so it is a program that can be put under control.
Checks check_program(const launch::Program& program);

// The reason for which a program could not be loaded.
Check refusal(const Error& error);

}  // namespace raddle::cli
