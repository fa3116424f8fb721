// SPDX-License-Identifier: Apache-2.0
//
// Livelock: a run cut by the step limit whose threads were only going in circles. Engine side.
// A suspicion: whether the circles can be left is found out by further runs (campaign/endless.h).
//
// The last half of the run's events is judged. Every thread that appears there must repeat one
// cycle of at most kPeriodMax operations, with equal kinds, sites, places and values, at least
// kRepeatsMin times, and without any other operation. Since all that a thread can learn passes
// through these values, a thread in such a cycle has seen nothing new for that long. Threads that
// do not appear must be blocked or finished: one that could run but was not let, or that sleeps
// until a time that was never reached, might have ended the cycle.
//
// False alarms are worse than misses, hence:
//   - half of the run: a loop that gives up after a fixed number of turns is mistaken for endless
//     only if it fills half of the step limit;
//   - 50 repeats: longer than back-off and retry limits usually are;
//   - 64 operations: a cycle longer than that does not fit a screen, and searching longer periods
//     makes agreement by chance likelier.
// Counters, clocks and addresses that change show up as values, so sequences with them are not
// periodic.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/analysis.h"

namespace raddle::analysis {

inline constexpr std::size_t kPeriodMax = 64;
inline constexpr std::size_t kRepeatsMin = 50;

// One turn of every thread that takes part, thread by thread, each in its own order.
struct LivelockCycle {
  struct Turn {
    ThreadId thread;
    std::vector<wire::Event> events;
    std::size_t repeats;
  };
  std::vector<Turn> turns;  // by thread
  StepIndex since;          // from this step on all of them repeat themselves
};

// Requires: the run was cut by the step limit.
std::optional<LivelockCycle> find_livelock(std::span<const wire::Event> events,
                                           std::span<const wire::ThreadReport> threads);

class Livelock final : public Analysis {
 public:
  void begin() override {}
  void on_event(const wire::Event&) override {}
  // Looks at the run's events only if it was cut: other runs cost nothing.
  void finish(const facts::Run& run, Findings& findings) override;
};

}  // namespace raddle::analysis
