// SPDX-License-Identifier: Apache-2.0
//
// An entry on the heap that is marked as loading while it is loaded; nobody should see that.
// EXPECT: "case 5" heap
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

enum State { kEmpty, kLoading, kReady };

struct Entry {
  int key = 0;
  std::atomic<int> state{kEmpty};
};

static Entry* entry;
static bool seen_loading;

static void load() {
  entry->state.store(kLoading);
  entry->state.store(kReady);
}

static void look() { seen_loading = entry->state.load() == kLoading; }

int main() {
  entry = new Entry;
  run_together(load, look);
  delete entry;
  assert(!seen_loading);
}
