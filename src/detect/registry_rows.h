// SPDX-License-Identifier: Apache-2.0
//
// From a list of rows to a registry. Engine side. Included once, by the file that has the list as
// RADDLE_DETECTORS(row): detect/registry.cc, or one that takes its place.
#pragma once

#include "detect/registry.h"

namespace raddle::detect {

#define RADDLE_DECLARED(name) extern const Detector name;
RADDLE_DETECTORS(RADDLE_DECLARED)
#undef RADDLE_DECLARED

namespace {

#define RADDLE_LISTED(name) &name,
constexpr const Detector* kDetectors[] = {RADDLE_DETECTORS(RADDLE_LISTED)};
#undef RADDLE_LISTED

}  // namespace

std::span<const Detector* const> detectors() { return kDetectors; }

const Detector* detector_of(const facts::FindingKind& kind) {
  for (const Detector* detector : kDetectors)
    if (detector->kind == kind) return detector;
  return nullptr;
}

const Evidence* find_same(std::span<const Evidence> evidence, const Evidence& thing) {
  const Detector* detector = detector_of(thing.kind);
  for (const Evidence& each : evidence)
    if (each.kind == thing.kind && detector->key(each) == detector->key(thing)) return &each;
  return nullptr;
}

}  // namespace raddle::detect

namespace raddle::facts {

std::vector<FindingKind> detector_kinds() {
  std::vector<FindingKind> kinds;
  for (const detect::Detector* detector : detect::detectors()) kinds.push_back(detector->kind);
  return kinds;
}

}  // namespace raddle::facts
