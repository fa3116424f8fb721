// SPDX-License-Identifier: Apache-2.0
//
// FindingKind: what sort of thing a finding is. Engine side.
//
// Kinds are values that are equal if their names are, not an enumeration: how a run can end is
// listed here, what detectors look for is said in their rows (detect/registry.cc). The names are
// part of the command line's contract.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace raddle::facts {

enum class Severity : unsigned char {
  failure,  // ends a campaign, and counts
  race,     // counts unless it is only to be reported; what it leads to may still be found
  warning,  // could go wrong, but has not: counts only if the user says so (facts/failing.h)
};

struct FindingKind {
  std::string_view name;
  Severity severity = Severity::failure;
  // The type of ThreadSanitizer's suppressions that are about it (report/suppressions.h).
  std::string_view suppressions = "";

  constexpr bool is_warning() const { return severity == Severity::warning; }
  friend constexpr bool operator==(const FindingKind& a, const FindingKind& b) {
    return a.name == b.name;
  }

  // How a run can end.
  static const FindingKind assertion, crash, stack_overflow, exception, exit_code, deadlock, hang,
      sync_misuse, leaked_thread, use_after_free, double_free, heap_overflow, schedule_violation,
      check, schedule_deadlock;
  // Of detectors, where others speak of them, too.
  static const FindingKind data_race, livelock, lockstep_livelock, potential_deadlock,
      atomicity_violation, inconsistent_locks;
};

inline constexpr FindingKind FindingKind::assertion{"assertion"};
inline constexpr FindingKind FindingKind::crash{"crash"};
inline constexpr FindingKind FindingKind::stack_overflow{"stack-overflow"};
inline constexpr FindingKind FindingKind::exception{"exception"};
inline constexpr FindingKind FindingKind::exit_code{"exit-code"};
inline constexpr FindingKind FindingKind::deadlock{"deadlock"};
inline constexpr FindingKind FindingKind::hang{"hang"};
inline constexpr FindingKind FindingKind::sync_misuse{"sync-misuse", Severity::failure, "mutex"};
inline constexpr FindingKind FindingKind::leaked_thread{"leaked-thread", Severity::warning,
                                                        "thread"};
inline constexpr FindingKind FindingKind::use_after_free{"use-after-free"};
inline constexpr FindingKind FindingKind::double_free{"double-free"};
inline constexpr FindingKind FindingKind::heap_overflow{"heap-overflow"};
inline constexpr FindingKind FindingKind::schedule_violation{"schedule-violation"};
inline constexpr FindingKind FindingKind::check{"check"};
inline constexpr FindingKind FindingKind::schedule_deadlock{"schedule-deadlock"};
inline constexpr FindingKind FindingKind::data_race{"data-race", Severity::race, "race"};
inline constexpr FindingKind FindingKind::livelock{"livelock"};
inline constexpr FindingKind FindingKind::lockstep_livelock{"lockstep-livelock", Severity::warning};
inline constexpr FindingKind FindingKind::potential_deadlock{"potential-deadlock",
                                                             Severity::warning, "deadlock"};
inline constexpr FindingKind FindingKind::atomicity_violation{"atomicity-violation",
                                                              Severity::warning};
inline constexpr FindingKind FindingKind::inconsistent_locks{"inconsistent-locks",
                                                             Severity::warning, "race"};

// Those of detectors: given by the registry that the program is linked with.
std::vector<FindingKind> detector_kinds();

// All there are, those of detectors last.
std::vector<FindingKind> finding_kinds();
std::optional<FindingKind> finding_kind(std::string_view name);

}  // namespace raddle::facts
