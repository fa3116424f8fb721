// SPDX-License-Identifier: Apache-2.0
//
// See suspects.h. Engine side; pure.
#include "campaign/suspects.h"

#include <algorithm>
#include <tuple>

#include "detect/registry.h"

namespace raddle::campaign {

using detect::Detector;
using detect::Told;

const Suspect* Suspects::find(const facts::Evidence& evidence) const {
  const Detector* detector = detect::detector_of(evidence.kind);
  if (detector == nullptr) return nullptr;
  auto known = index_.find({detector, detector->key(evidence)});
  return known == index_.end() ? nullptr : &all_[known->second];
}

Suspect* Suspects::add(const facts::Evidence& evidence, std::uint64_t run) {
  if (!has_room(evidence)) return nullptr;
  const Detector* detector = detect::detector_of(evidence.kind);
  ++counts_[detector];
  index_[{detector, detector->key(evidence)}] = all_.size();
  if (detector->confirmation != nullptr) waiting_.push_back(all_.size());
  all_.push_back({detector, evidence, {}, run, ""});
  return &all_.back();
}

bool Suspects::has_room(const facts::Evidence& evidence) const {
  const Detector* detector = detect::detector_of(evidence.kind);
  if (detector == nullptr) return false;
  auto count = counts_.find(detector);
  return count == counts_.end() || count->second < detector->suspects_max;
}

void Suspects::note_facts(const facts::Run& run) {
  for (const Detector* detector : detect::detectors()) {
    if (detector->confirmation == nullptr) continue;
    if (auto fact = detector->confirmation->fact(run)) facts_.insert({detector, std::move(*fact)});
  }
}

bool Suspects::has_come_about(const Suspect& suspect) const {
  const detect::Confirmation* confirmation = suspect.detector->confirmation;
  return confirmation != nullptr &&
         facts_.contains({suspect.detector, confirmation->claim(suspect.evidence)});
}

Suspect* Suspects::next_to_try(std::uint64_t runs, bool all) {
  while (!waiting_.empty()) {
    Suspect& first = all_[waiting_.front()];
    if (!all && runs - first.run < kSearchFirst) break;
    waiting_.pop_front();
    if (!has_come_about(first)) return &first;
  }
  return nullptr;
}

std::vector<Suspect*> Suspects::left_over() {
  std::vector<Suspect*> left;
  for (Suspect& suspect : all_) {
    bool later = suspect.detector->told == Told::when_over && suspect.signature.empty();
    bool confirmable = suspect.detector->confirmation != nullptr;
    if (later && (!confirmable || suspect.tried)) left.push_back(&suspect);
  }
  std::ranges::stable_sort(left, {}, [](const Suspect* suspect) {
    bool last = suspect->detector->confirmation == nullptr;
    return std::tuple(last, suspect->run, last ? suspect->detector->key(suspect->evidence) : 0);
  });
  return left;
}

bool Suspects::any_of(const facts::FindingKind& kind,
                      const std::function<bool(const facts::Evidence&)>& such) const {
  return std::ranges::any_of(all_, [&](const Suspect& suspect) {
    return suspect.detector->kind == kind && such(suspect.evidence);
  });
}

}  // namespace raddle::campaign
