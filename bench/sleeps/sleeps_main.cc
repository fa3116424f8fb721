// SPDX-License-Identifier: Apache-2.0
//
// Runs one test of bench/sleeps: `TEST [repetitions]` prints how many of them failed and how long
// they took, and exits with 1 if one failed. With one repetition, the failed checks are printed.
// Own program of the bench.
#include "sleeps.h"

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 1;
  if (repetitions < 1) {
    std::fprintf(stderr, "usage: %s [REPETITIONS]\n", argv[0]);
    return 2;
  }
  sleeps::verbose = repetitions == 1;
  int failures = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int run = 0; run < repetitions; ++run) {
    sleeps::failed = false;
    {
      const raddle::ScheduleScope schedule("sleeps", schedule_text);  // with -DSLEEPS: nothing
      test();
    }
    if (sleeps::failed) ++failures;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("%d %.6f\n", failures, taken.count());
  return failures == 0 ? 0 : 1;
}
