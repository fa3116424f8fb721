// SPDX-License-Identifier: Apache-2.0
//
// The only list of coverage observers. Engine side. To add one: write foo.{h,cc} and foo_test.cc,
// add a row. Its criteria are known by their names, which no two may share.
#include "analysis/access_criteria.h"
#include "analysis/coverage.h"
#include "analysis/idiom_coverage.h"

namespace raddle::analysis {
namespace {

using Make = std::unique_ptr<CoverageObserver>();

template <class T>
std::unique_ptr<CoverageObserver> make() {
  return std::make_unique<T>();
}

constexpr Make* kObservers[] = {
    make<AccessCriteria>,
    make<IdiomCoverage>,
};

}  // namespace

std::vector<std::unique_ptr<CoverageObserver>> make_coverage_observers() {
  std::vector<std::unique_ptr<CoverageObserver>> observers;
  for (Make* observer : kObservers) observers.push_back(observer());
  return observers;
}

}  // namespace raddle::analysis
