// SPDX-License-Identifier: Apache-2.0
//
// A library that is not compiled with raddle and keeps objects by shared_ptr: who holds them last
// is counted by atomics that raddle does not see.
#pragma once

#include <memory>

struct Thing {
  int value = 1;
  virtual ~Thing() = default;
};

// Keeps one more reference to it.
void hold(std::shared_ptr<Thing> thing);
// Lets go of all; the last one destroys the thing.
void release();
