// SPDX-License-Identifier: Apache-2.0
//
// The only list of detectors. Engine side. To add one: write foo.cc with a Detector kFoo, add a
// row.
#include "detect/registry.h"

// In the order of their names.
#define RADDLE_DETECTORS(row) \
  row(kAtomicity) row(kLivelock) row(kLockOrder) row(kLocksets) row(kRaces)

#include "detect/registry_rows.h"
