// SPDX-License-Identifier: Apache-2.0
//
// See holder.h.
#include "holder.h"

#include <atomic>

static std::shared_ptr<Thing> held;
static std::atomic<bool> full;

void hold(std::shared_ptr<Thing> thing) {
  held = std::move(thing);
  full = true;
}

void release() {
  if (full.exchange(false)) held.reset();
}
