// SPDX-License-Identifier: Apache-2.0
// A unit test of three threads that increment a number under a lock, K times each: (3K)! / K!^3
// orders of critical sections, and as many traces (K = 2: 90, K = 3: 1,680, K = 4: 34,650).
//   increments K STRATEGY   repeats it in this process; prints runs, seconds, steps, and 1 if the
//                           strategy came to its end, else 0
//   increments K            runs it once
#include <raddle/check.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

static void test(int turns) {
  std::mutex lock;
  int sum = 0;
  auto work = [&] {
    for (int i = 0; i < turns; ++i) {
      std::lock_guard<std::mutex> hold(lock);
      ++sum;
    }
  };
  std::thread one(work), two(work), three(work);
  one.join();
  two.join();
  three.join();
  RADDLE_ASSERT(sum == 3 * turns);
}

int main(int argc, char** argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 1;
  if (argc < 3) {
    test(turns);
    return 0;
  }
  raddle::Options options;
  options.strategy = argv[2];
  options.milliseconds = 60'000;
  raddle::Result result = raddle::check([&] { test(turns); }, options);
  if (!result) {
    fprintf(stderr, "%s\n", result.error.c_str());
    return 1;
  }
  printf("%llu %.6f %llu %d\n", static_cast<unsigned long long>(result.schedules), result.seconds,
         static_cast<unsigned long long>(result.steps), result.complete ? 1 : 0);
}
