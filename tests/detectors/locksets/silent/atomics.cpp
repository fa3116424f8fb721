// SPDX-License-Identifier: Apache-2.0
// Atomics need no lock.
#include <atomic>

#include "detectors/threads.h"

std::atomic<int> hits;

void count() {
  hits.fetch_add(1);
  hits.store(hits.load());
}

int main() { run_together(count, count); }
