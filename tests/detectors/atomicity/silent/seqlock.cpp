// SPDX-License-Identifier: Apache-2.0
//
// A seqlock of atomics: its reader notices that a writer has come between, and reads again.
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<unsigned> sequence{0};
static std::atomic<int> low{0}, high{0};

static void write_pair() {
  for (int i = 1; i <= 2; ++i) {
    sequence.fetch_add(1);
    low.store(i);
    high.store(i);
    sequence.fetch_add(1);
  }
}

static void read_pair() {
  for (int attempt = 0; attempt < 20; ++attempt) {
    unsigned before = sequence.load();
    int a = low.load();
    int b = high.load();
    if (before % 2 != 0 || sequence.load() != before) continue;
    assert(a == b);
    return;
  }
}

int main() { run_together(write_pair, read_pair); }
