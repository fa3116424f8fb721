// SPDX-License-Identifier: Apache-2.0
// Unit tests of two threads that count, TURNS times each:
//   mutex     under a lock: lock, read, write and unlock are points
//   stripes   each under a lock of its own, so only lock and unlock are points; few points that can
//             be put together in many ways (two threads that wait for each other leave few)
//   mixed     by an atomic, and every fourth time under a lock too
//   globals   as mutex, but what they count with are global variables, which they leave changed
//
// With LARGE_DATA the program has so many more bytes of global variables.
//
//   check BODY TURNS STRATEGY RUNS   repeats it in this process, at most so often; prints runs,
//                                    seconds and steps of all of them
//   check BODY TURNS                 runs it once
#include <raddle/check.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

static void count_with_mutex(int turns) {
  std::mutex lock;
  int sum = 0;
  auto work = [&] {
    for (int i = 0; i < turns; ++i) {
      std::lock_guard<std::mutex> hold(lock);
      ++sum;
    }
  };
  std::thread other(work);
  work();
  other.join();
  RADDLE_ASSERT(sum == 2 * turns);
}

static void count_in_stripes(int turns) {
  struct {
    std::mutex lock;
    int sum = 0;
  } stripes[2];
  auto work = [&](int which) {
    for (int i = 0; i < turns; ++i) {
      std::lock_guard<std::mutex> hold(stripes[which].lock);
      ++stripes[which].sum;
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  RADDLE_ASSERT(stripes[0].sum == turns && stripes[1].sum == turns);
}

static void count_mixed(int turns) {
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

static std::mutex global_lock;
static int global_sum;
#ifdef LARGE_DATA
static char table[LARGE_DATA] = {1};
static char* volatile table_use = table;  // or it would not be there
#endif

static void count_in_globals(int turns) {
  int before = global_sum;
  auto work = [&] {
    for (int i = 0; i < turns; ++i) {
      std::lock_guard<std::mutex> hold(global_lock);
      ++global_sum;
    }
  };
  std::thread other(work);
  work();
  other.join();
  RADDLE_ASSERT(global_sum == before + 2 * turns);
}

using Body = void(int turns);

static Body* find_body(const char* name) {
  if (strcmp(name, "mutex") == 0) return count_with_mutex;
  if (strcmp(name, "stripes") == 0) return count_in_stripes;
  if (strcmp(name, "globals") == 0) return count_in_globals;
  return count_mixed;
}

int main(int argc, char** argv) {
  Body* body = find_body(argc > 1 ? argv[1] : "mixed");
  int turns = argc > 2 ? atoi(argv[2]) : 1;
  if (argc < 5) {
    body(turns);
    return 0;
  }
  raddle::Options options;
  options.strategy = argv[3];
  options.schedules = strtoull(argv[4], nullptr, 10);
  options.milliseconds = 60'000;
  raddle::Result result = raddle::check([=] { body(turns); }, options);
  if (!result) {
    fprintf(stderr, "%s\n", result.error.c_str());
    return 1;
  }
  printf("%llu %.6f %llu\n", static_cast<unsigned long long>(result.schedules), result.seconds,
         static_cast<unsigned long long>(result.steps));
}
