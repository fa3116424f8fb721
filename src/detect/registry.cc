// SPDX-License-Identifier: Apache-2.0
//
// The only list of detectors. Engine side. To add one: write foo.cc with a Detector kFoo, add a
// row.
#include "detect/registry.h"

// In the order in which what one run has shown is told.
#define RADDLE_DETECTORS(row) \
  row(kRaces) row(kLivelock) row(kLockstep) row(kLockOrder) row(kAtomicity) row(kLocksets)

#include "detect/registry_rows.h"
