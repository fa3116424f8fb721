// SPDX-License-Identifier: Apache-2.0
//
// Finding: something true about the user's program, as a value. Engine side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facts/finding_kind.h"
#include "wire/op.h"
#include "wire/verdict.h"

namespace raddle::facts {

// A source place; one program counter gives several frames when functions were inlined.
struct Frame {
  std::string file;  // as the compiler recorded it, empty if unknown
  int line = 0;
  std::string function;  // demangled, empty if unknown
  std::string module;    // basename of the object
  std::uint64_t offset = 0;
  bool inlined = false;
};

struct HeldLock {
  std::string what;  // "g_lock", "heap block #12 + 8"
  Frame where;       // where it was acquired
};

struct ThreadSnapshot {
  ThreadId id = 0;
  std::string name;
  std::string state;  // a sentence: "blocked in lock of `b`, held by T2"
  bool in_cycle = false;
  std::vector<Frame> stack;  // innermost first
  std::vector<HeldLock> held;
};

struct Finding {
  int id = 0;
  FindingKind kind = FindingKind::assertion;
  std::string message;
  std::uint64_t schedule_index = 0;  // the first run of the campaign that showed it, from 1
  std::uint64_t directed_run = 0;    // which run beside the search showed it, from 1; 0: none
  std::uint32_t preemptions = 0;
  std::uint32_t steps = 0;
  std::string directory;
  ThreadId thread = 0;
  std::string variable;  // of a data race, as in the message; not kept
  std::string identity;  // places in the code, no numbers of threads or of runs; not kept
  std::string library;   // where in the C++ library, if it is the library's own matter; not kept
  Frame site;            // first frame of the failing thread in the user's own code
  std::vector<ThreadSnapshot> threads;

  // Equal for findings that are the same to the user.
  std::string signature() const { return std::string(kind.name) + " " + identity; }
};

}  // namespace raddle::facts
