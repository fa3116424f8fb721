// SPDX-License-Identifier: Apache-2.0
// Ends that a search must not lose sight of: other threads may fail first, or go another way.
//   sudden _exit|_Exit|quick_exit|exit   ends with 7, 9 or 6, as the threads come to it
//   sudden known                         fails in every run, and races elsewhere in each order
//   sudden handler                       goes on in a handler of exit, while another thread lives
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

static std::atomic<int> stage{0};
static int first, second;

static void end(const std::string& how) {
  if (how == "_exit") _exit(7);
  if (how == "_Exit") _Exit(7);
  if (how == "quick_exit") quick_exit(7);
  exit(7);
}

static int end_early(const std::string& how) {
  std::thread([] {
    stage = 1;
    if (stage == 2) exit(9);
    stage = 3;
  }).detach();
  std::thread other([] { stage = 2; });
  other.join();
  if (stage == 2) end(how);
  return stage == 3 ? 6 : 0;
}

static int end_with_a_handler() {
  std::thread([] { stage = 1; }).detach();
  atexit([] { stage = 2; });
  return 0;
}

__attribute__((noinline)) static void set_first(int value) { first = value; }
__attribute__((noinline)) static void set_second(int value) { second = value; }

static void race_and_fail() {
  std::thread one([] {
    if (stage == 0)
      set_first(1);
    else
      set_second(1);
  });
  std::thread two([] {
    stage = 1;
    set_first(2);
    set_second(2);
  });
  one.join();
  two.join();
  assert(first + second == 7);
}

int main(int, char** argv) {
  std::string mode = argv[1];
  if (mode == "handler") return end_with_a_handler();
  if (mode != "known") return end_early(mode);
  race_and_fail();
}
