// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this folder share: each is written twice in one text. Built with -DSLEEPS it
// forces its order of threads by SLEEP(), as it was first written; built without, the sleeps are
// gone, and the RADDLE_EVENTs with the SCHEDULE do it. The code under test is the same. Own program
// of the bench; bench/sleeps.py builds, runs and compares.
//
// A test must end and say so by CHECK when its threads come in another order than intended: it may
// not hang.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "raddle/event.h"

namespace sleeps {

inline std::atomic<bool> failed{false};
inline bool verbose = false;

inline void check(bool good, const char* what, const char* file, int line) {
  if (good) return;
  failed = true;
  if (verbose) std::fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
}

}  // namespace sleeps

#define CHECK(condition) ::sleeps::check((condition), #condition, __FILE__, __LINE__)

#ifdef SLEEPS
#define SLEEP(ms) std::this_thread::sleep_for(std::chrono::milliseconds(ms))
#else
#define SLEEP(ms) static_cast<void>(0)
#endif

// The order that the sleeps stand for.
#define SCHEDULE(text) const char* const schedule_text = text;
extern const char* const schedule_text;

void test();  // one run, with fresh objects
