// SPDX-License-Identifier: Apache-2.0
// A unit test of two threads that count TURNS times each, and every fourth time under a lock too.
//   check TURNS STRATEGY RUNS   repeats it in this process, at most so often; prints runs, seconds
//                               and steps of all of them
//   check TURNS                 runs it once
#include <raddle/check.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

static void test(int turns) {
  std::mutex lock;
  int sum = 0;
  std::atomic<int> count{0};
  auto work = [&] {
    for (int i = 0; i < turns; ++i) {
      count.fetch_add(1);
      if (i % 4 != 0) continue;
      std::lock_guard<std::mutex> hold(lock);
      ++sum;
    }
  };
  std::thread other(work);
  work();
  other.join();
  RADDLE_ASSERT(count == 2 * turns && sum == 2 * ((turns + 3) / 4));
}

int main(int argc, char** argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 1;
  if (argc < 4) {
    test(turns);
    return 0;
  }
  raddle::Options options;
  options.strategy = argv[2];
  options.schedules = strtoull(argv[3], nullptr, 10);
  options.milliseconds = 60'000;
  raddle::Result result = raddle::check([&] { test(turns); }, options);
  if (!result) {
    fprintf(stderr, "%s\n", result.error.c_str());
    return 1;
  }
  printf("%llu %.6f %llu\n", static_cast<unsigned long long>(result.schedules), result.seconds,
         static_cast<unsigned long long>(result.steps));
}
