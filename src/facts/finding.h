// SPDX-License-Identifier: Apache-2.0
//
// Finding: something true about the user's program, as a value. Engine side.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/op.h"
#include "wire/verdict.h"

namespace raddle::facts {

// The names are part of the command line's contract: kFindingNames holds them in this order.
enum class FindingKind : std::uint8_t {
  assertion,
  crash,
  stack_overflow,
  exception,
  exit_code,
  deadlock,
  livelock,
  hang,
  sync_misuse,
  leaked_thread,
  use_after_free,
  double_free,
  heap_overflow,
  data_race,
  potential_deadlock,
  atomicity_violation,
  order_violation,
  schedule_violation,
  check,
  schedule_deadlock,
  inconsistent_locks,
  count
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(FindingKind::count)>
    kFindingNames = {"assertion",
                     "crash",
                     "stack-overflow",
                     "exception",
                     "exit-code",
                     "deadlock",
                     "livelock",
                     "hang",
                     "sync-misuse",
                     "leaked-thread",
                     "use-after-free",
                     "double-free",
                     "heap-overflow",
                     "data-race",
                     "potential-deadlock",
                     "atomicity-violation",
                     "order-violation",
                     "schedule-violation",
                     "check",
                     "schedule-deadlock",
                     "inconsistent-locks"};

constexpr std::string_view finding_name(FindingKind kind) {
  return kFindingNames[static_cast<std::size_t>(kind)];
}
// Something that could go wrong, but has not: no reason to stop, and for an exit code only if the
// user says so (facts/failing.h).
inline constexpr FindingKind kWarnings[] = {
    FindingKind::leaked_thread, FindingKind::potential_deadlock, FindingKind::atomicity_violation,
    FindingKind::inconsistent_locks};
constexpr bool is_warning(FindingKind kind) {
  for (FindingKind warning : kWarnings)
    if (warning == kind) return true;
  return false;
}
std::optional<FindingKind> finding_kind(std::string_view name);

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
  Frame site;            // first frame of the failing thread in the user's own code
  std::vector<ThreadSnapshot> threads;
};

}  // namespace raddle::facts
