// SPDX-License-Identifier: Apache-2.0
//
// A reference count whose decrement says whether it was the last.
#include <atomic>
#include <cassert>

#include "detectors/threads.h"

static std::atomic<int> references{1};
static std::atomic<int> freed{0};

static void use() {
  references.fetch_add(1);
  if (references.fetch_sub(1) == 1) freed.fetch_add(1);
}

int main() {
  run_together(use, use);
  if (references.fetch_sub(1) == 1) freed.fetch_add(1);
  assert(freed.load() == 1);
}
