// SPDX-License-Identifier: Apache-2.0
//
// Runs one unit test of bench/gambit:
//   gambit --list            name, kind and bug of each, separated by tabs
//   gambit TEST              explores the test
//   gambit TEST fixed        explores its twin without the bug
// How is said by raddle's environment variables (RADDLE_STRATEGY, RADDLE_SCHEDULES, ...). Prints
// the number of runs, the seconds, the steps, and the kind of the finding or `-` (`complete` if
// there is nothing more to find). Exits with 2 if the test could not be run. Own program of the
// bench; bench/gambit.py builds and starts it.
#include <cstdio>
#include <cstring>

#include "gambit.h"

namespace {

#define GAMBIT_POINTER(name) &gambit::name,
constexpr const gambit::Test* kTests[] = {GAMBIT_TESTS(GAMBIT_POINTER)};
#undef GAMBIT_POINTER

// Runs of these tests have at most 300 steps: one with so many does not end.
constexpr unsigned kMaxSteps = 3000;

int explore(const gambit::Test& test, bool fixed) {
  raddle::Options options;
  options.name = std::string(test.name) + (fixed ? ".fixed" : "");
  options.max_steps = kMaxSteps;
  // A race that comes with the bug is not what the test is about.
  if (!fixed && std::strcmp(test.kind, "data-race") != 0) options.races = "report";
  const raddle::Result result = raddle::check(fixed ? test.fixed : test.buggy, options);
  if (!result.error.empty()) {
    std::fprintf(stderr, "%s: %s\n", test.name, result.error.c_str());
    return 2;
  }
  const char* end = result.complete ? "complete" : "-";
  if (!result.findings.empty()) end = result.findings[0].kind.c_str();
  std::printf("%llu %.6f %llu %s\n", static_cast<unsigned long long>(result.schedules),
              result.seconds, static_cast<unsigned long long>(result.steps), end);
  for (const raddle::Finding& finding : result.findings)
    std::fprintf(stderr, "%s\n%s\n", finding.message.c_str(), finding.story.c_str());
  return 0;
}

int list() {
  for (const gambit::Test* test : kTests)
    std::printf("%s\t%s\t%s\n", test->name, test->kind, test->bug);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool fixed = argc == 3 && std::strcmp(argv[2], "fixed") == 0;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) return list();
  if (argc == 2 || fixed)
    for (const gambit::Test* test : kTests)
      if (std::strcmp(test->name, argv[1]) == 0) return explore(*test, fixed);
  std::fprintf(stderr, "usage: %s --list | TEST [fixed]\n", argv[0]);
  return 2;
}
