// SPDX-License-Identifier: Apache-2.0
//
// A systematic search of a whole program with two runs at a time against one at a time, on two
// cores: all 1,680 traces of three threads with three locked increments each, from the start of the
// command to its end.
#include <fmt/core.h>

#include <algorithm>

#include "rows.h"

namespace raddle::bench {

void bench_jobs() {
  std::string program = compile("increments");
  auto search = [&](int jobs) {
    return seconds([&] {
      shell(fmt::format("{} test --strategy dpor --schedules 10000 --jobs {} --quiet --out {} {} 3",
                        RADDLE_BENCH_TOOL, jobs, (workplace / "out").string(), program));
    });
  };
  double alone = 1e9, together = 1e9;
  // In turns, so that both see the same machine.
  for (int round = 0; round < kRounds; ++round) {
    alone = std::min(alone, search(1));
    together = std::min(together, search(2));
  }
  row("dpor, 1,680 traces, --jobs 2 / --jobs 1", fmt::format("{:.0f} ms", together * 1e3),
      fmt::format("{:.0f} ms", alone * 1e3), alone / together, 1.3, true);
}

}  // namespace raddle::bench
