// SPDX-License-Identifier: Apache-2.0
//
// Counters of atomic increments, read now and then: others come between, and nobody minds.
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<int> requests{0};

static void serve() {
  for (int i = 0; i < 3; ++i) requests.fetch_add(1);
}

static void watch() {
  int before = requests.load();
  int after = requests.load();
  assert(before <= after);
}

int main() {
  run_together(serve, serve, watch);
  assert(requests.load() == 6);
}
