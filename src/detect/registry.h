// SPDX-License-Identifier: Apache-2.0
//
// The list of detectors. Engine side. It is one object of its own (registry.cc): a program that is
// linked with another list has other detectors, and nothing else has to know.
#pragma once

#include <span>

#include "detect/detector.h"

namespace raddle::detect {

// In the order in which what one run has shown is told.
std::span<const Detector* const> detectors();

// Null if no detector is about that kind.
const Detector* detector_of(const facts::FindingKind& kind);

// The first of them that is another sighting of the same thing; null if none is. Requires: a
// detector is about its kind.
const Evidence* find_same(std::span<const Evidence> evidence, const Evidence& thing);

}  // namespace raddle::detect
