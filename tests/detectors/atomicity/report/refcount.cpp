// SPDX-License-Identifier: Apache-2.0
//
// A reference count that is decremented and then read: both threads see it gone.
// EXPECT: "case 3" `references`
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<int> references{2};
static std::atomic<int> freed{0};

static void release() {
  references.fetch_sub(1);
  if (references.load() == 0) freed.fetch_add(1);
}

int main() {
  run_together(release, release);
  assert(freed.load() == 1);
}
