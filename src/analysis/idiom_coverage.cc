// SPDX-License-Identifier: Apache-2.0
//
// See idiom_coverage.h. Engine side.
#include "analysis/idiom_coverage.h"

namespace raddle::analysis {
namespace {

constexpr Criterion kCriteria[kIdioms] = {
    {"idiom1", "one thread's access depends on another's: A => B", false},
    {"idiom2", "one access of another thread between two to the same data: A => B => C", false},
    {"idiom3", "two accesses of another thread between two to the same data: A => B .. C => D",
     false},
    {"idiom4", "another thread between two accesses, to two variables: A => B .. C => D", false},
    {"idiom5", "two dependencies that cross, as in a deadlock: A => B, C => D", false},
    {"idiom6", "two dependencies from one thread to another, in the same order: A => B, C => D",
     false},
};

Property property_of(const IRoot& root) {
  Property property;
  property.count = root.count;
  for (unsigned i = 0; i < root.count; ++i) {
    const IRoot::Part& part = root.parts[i];
    property.parts[i] = {part.site, part.kind, kNoThread, 0, part.where};
  }
  property.hash = property_hash(kCriteria[root.idiom - 1u].name, property.form, property.used());
  return property;
}

}  // namespace

std::span<const Criterion> IdiomCoverage::criteria() const { return kCriteria; }

void IdiomCoverage::begin() {
  observer_.begin();
  profiles_ = quiet_ < kQuietRuns || rest_ == 0;
  rest_ = profiles_ ? kProfileEvery - 1 : rest_ - 1;
  if (profiles_) predictor_.begin();
}

void IdiomCoverage::on_event(const wire::Event& event) {
  observer_.on_event(event);
  if (profiles_) predictor_.on_event(event);
}

void IdiomCoverage::finish(const facts::Run& run, std::span<CriterionRun> results) {
  observer_.finish(run);
  for (const IRoot& root : observer_.exposed().roots())
    results[root.idiom - 1u].covered.push_back(property_of(root));
  for (CriterionRun& result : results) result.truncated |= observer_.exposed().truncated();
  if (!profiles_) return;
  predictor_.finish();
  bool is_new = false;
  for (const IRoot& root : predictor_.predicted().roots()) {
    Property property = property_of(root);
    is_new |= known_.insert(property.hash).second;
    results[root.idiom - 1u].predicted.push_back(property);
  }
  for (CriterionRun& result : results) result.truncated |= predictor_.truncated();
  quiet_ = is_new ? 0 : quiet_ + 1;
}

}  // namespace raddle::analysis
