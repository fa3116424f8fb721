// SPDX-License-Identifier: Apache-2.0
//
// Random small toy programs, so that searches are held against brute force on programs that nobody
// thought of. Tests only. A program is a function of its number, on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace raddle::toy {

struct RandomShape {
  // How many interleavings there may be if nobody ever had to wait.
  std::uint64_t interleavings_max = 2000;
  bool assertions = false;  // reads that may find the wrong value and end the run
  bool spins = false;       // yields and spin loops, for which the fairness filter steps in
};

// Two to four threads that use a few variables, mutexes, a condvar, a semaphore, a barrier and a
// read-write lock, create and join each other and choose values.
std::string random_program(std::uint64_t number, const RandomShape& shape = {});

}  // namespace raddle::toy
