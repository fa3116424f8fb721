// SPDX-License-Identifier: Apache-2.0
//
// A registry that takes the place of detect/registry.cc: the same rows, and one more. Tests only.
#define RADDLE_DETECTORS(row) \
  row(kAtomicity) row(kLivelock) row(kLockOrder) row(kLocksets) row(kRaces) row(kTwoWriters)

#include "detect/registry_rows.h"
