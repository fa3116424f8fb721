// SPDX-License-Identifier: Apache-2.0
//
// raddle::check: repeats a small concurrent test under every schedule that a strategy can think of,
// in this process. Public API.
//
//     auto result = raddle::check([] {
//       Queue queue;
//       std::thread other([&] { queue.push(1); });
//       queue.push(2);
//       other.join();
//       RADDLE_ASSERT(queue.size() == 2);
//     });
//
// The test has to be compiled with `raddle c++` (or raddle_add_test). What the closure makes is
// fresh in every run; what it changes outside of itself (globals, captured variables) stays.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "raddle/abi.h"

namespace raddle {

struct Options {
  std::string name;             // of the test, for reports and schedule files
  std::string strategy;         // a name of `raddle list strategies`; empty: auto
  std::uint64_t schedules = 0;  // at most so many runs; 0: the default
  std::uint64_t milliseconds = 0;
  std::uint64_t seed = 0;
  std::uint32_t depth = 0;
  std::uint32_t max_steps = 0;
  std::uint32_t spurious = 0;
  std::string points, timers, races;
  bool keep_going = false;
  bool isolate = false;  // make the runs in a process of their own
  std::string schedule_name;
  std::string schedule;  // only interleavings that satisfy this event schedule
  bool passive = false;  // do not enforce it, report violations
  bool expect_infeasible = false;
};
}  // namespace raddle
